// What an install takes on the disk.
import { join } from "node:path";
import { install, sizeOf } from "../stage.mjs";

const mebibyte = 1024 * 1024;

export function measureInstalls({ contestants, samples, wanted }) {
  for (const side of ["server", "client"]) {
    if (!wanted(`install ${side}`)) continue;
    for (const { name, install: packages } of contestants) {
      if (packages?.[side] === undefined) continue;
      const folder = install(packages[side]);
      samples.add(`install ${side}`, name, sizeOf(join(folder, "node_modules")) / mebibyte);
    }
  }
}
