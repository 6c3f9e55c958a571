import "node:readline";
