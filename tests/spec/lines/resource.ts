import { lines, type SpecLine } from "../line.js";

/** Groups RSC and ICON, and the server's part of caching: what can be read. */
export const resource: readonly SpecLine[] = [
  ...lines("server/resources", [
    ["RSC-01", "All", "who has resources says so, and what it tells of them"],
    ["RSC-02", "M", "resources are listed"],
    ["RSC-03", "All", "so are templates, where there are none too"],
    ["RSC-04", "All", "one read may give several contents"],
    ["RSC-05", "All", "a content is text or base64"],
    ["RSC-06", "M", "what is missing is invalid params, with its URI"],
    ["RSC-07", "L", "and had a code of its own"],
    ["RSC-08", "M", "and is never an empty answer"],
    ["RSC-09", "All", "what fails inside is an internal error"],
    ["RSC-10", "M", "the old code is still understood"],
    ["RSC-11", "L", "a subscriber is told of its resource"],
    ["RSC-12", "L", "ending what was not begun is fine"],
    ["RSC-15", "All", "that the list changed is told"],
    ["RSC-17", "All", "a file URI need be no file"],
    ["RSC-18", "25-03+", "a scheme is one of RFC 3986"],
    ["RSC-19", "All", "a URI that is none is refused"],
    ["RSC-20", "M", "a path does not leave its root"],
    ["RSC-21", "All", "access is checked before anything is done"],
    ["RSC-22", "All", "templates are read back in linear time"],
    ["RSC-23", "All", "a resource wins over a template"],
    ["RSC-24", "All", "URIs are compared as they are"],
    ["RSC-25", "All", "annotations keep to their ranges"],
  ]),
  ...lines("basic/index#icons", [["ICON-01", "25-11+", "an icon comes from the web or is inline"]]),
  ...lines("server/utilities/caching", [
    ["RES-25", "M", "a list whose cursor is refused is read from its beginning"],
    ["RES-12", "M", "all pages of a list have one scope"],
    ["RES-27", "M", "a time to live has an end"],
  ]),
  ...lines("server/resources, server/prompts, server/utilities", [
    ["ERR-11", "All", "each page's errors have its codes"],
  ]),
];
