/** The eras by the spec's own words; `undefined` leaves the choice to the library. */
export function readEras<Era>(
  make: { readonly stateless: () => Era; readonly handshake: () => Era },
  word = process.env["MCP_FIXTURE_ERA"] ?? "dual",
): readonly Era[] | undefined {
  switch (word) {
    case "dual":
      return undefined;
    case "modern":
      return [make.stateless()];
    case "legacy":
      return [make.handshake()];
    default:
      throw new Error(`era "${word}" is none of: legacy, modern, dual`);
  }
}
