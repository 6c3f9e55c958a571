// publint over every tarball, as it would be published. A suggestion fails too.
import { readFileSync } from "node:fs";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { pack } from "./tarballs.mjs";

const tarballs = pack();
let found = 0;
for (const [name, { file, manifest }] of tarballs) {
  const { messages } = await publint({ pack: { tarball: new Uint8Array(readFileSync(file)).buffer } });
  for (const message of messages) console.error(`${name}: ${formatMessage(message, manifest) ?? message.code}`);
  found += messages.length;
}
console.log(`${tarballs.size} packages, ${found} messages`);
if (found > 0) process.exitCode = 1;
