import "@tmcp/adapter-zod";
import "@tmcp/transport-stdio";
import "tmcp";
import "zod";
