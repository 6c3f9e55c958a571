import { lines, type SpecLine } from "../line.js";

/** Groups PAG, PRG and CAN: pages, progress and cancellation, as far as they have come. */
export const pattern: readonly SpecLine[] = [
  ...lines("server/utilities/pagination", [
    ["PAG-01", "All", "a cursor goes back as it came"],
    ["PAG-02", "All", "pages of any size"],
    ["PAG-03", "All", "no cursor ends the list"],
    ["PAG-04", "M", "an empty cursor is a cursor"],
    ["PAG-05", "All", "null ends the list"],
    ["PAG-06", "All", "a list without an end is an error"],
    ["PAG-07", "All", "one page is a list too"],
    ["PAG-08", "All", "a cursor nobody gave out is refused"],
    ["PAG-09", "M", "cursors need no memory"],
  ]),
  ...lines("basic/patterns/progress", [
    ["PRG-01", "All", "a token is text or a whole number"],
    ["PRG-02", "All", "a token for each request"],
    ["PRG-03", "All", "progress only grows"],
    ["PRG-04", "All", "in fractions too"],
    ["PRG-05", "25-03+", "with a message, where the revision has it"],
    ["PRG-06", "All", "and only where it was asked for"],
    ["PRG-07", "All", "nothing follows the end"],
    ["PRG-08", "All", "none need come"],
    ["PRG-10", "All", "a stranger's is ignored"],
    ["PRG-13", "All", "what has a timeout has a token"],
  ]),
  ...lines("basic/patterns/cancellation", [
    ["CAN-01", "L", "only what is believed to run is cancelled"],
    ["CAN-02", "M", "and only what is one's own"],
    ["CAN-03", "L", "the handshake never is"],
    ["CAN-04", "M", "on a pipe a notification says it, on HTTP the end of the stream"],
    ["CAN-05", "L", "a notification says it"],
    ["CAN-07", "All", "the work stops and is not answered"],
    ["CAN-08", "All", "a cancel of nothing is ignored"],
    ["CAN-09", "All", "so is an answer that comes late"],
    ["CAN-10", "All", "crossing on the wire does no harm"],
    ["CAN-11", "All", "an invalid cancel is ignored"],
    ["CAN-12", "25-11", "one without a request id too"],
    ["CAN-13", "All", "the reason is there to be logged"],
    ["CAN-14", "All", "every request has a timeout"],
    ["CAN-15", "All", "and an end that progress does not move"],
  ]),
];
