import type { ClientEra, EraName } from "@parlance/protocol-versions";

/** The eras with one of them first. */
export function inOrder(eras: readonly ClientEra[], first: EraName): readonly ClientEra[] {
  return [...eras].sort((a, b) => Number(b.name === first) - Number(a.name === first));
}
