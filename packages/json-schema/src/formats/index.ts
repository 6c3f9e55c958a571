import type { Formats } from "../format.js";
import { email, hostname, ipv4, ipv6 } from "./host.js";
import { jsonPointer, regex, uuid } from "./text.js";
import { date, dateTime, time } from "./time.js";
import { uri, uriReference } from "./uri.js";

/**
 * The formats that tools use, by their name in schemas: hand them to `compile` to have them asserted. For fewer, make
 * an object of your own out of the single ones; for more, add functions of your own.
 * @stable
 */
export const formats: Formats = {
  date,
  "date-time": dateTime,
  email,
  hostname,
  ipv4,
  ipv6,
  "json-pointer": jsonPointer,
  regex,
  time,
  uri,
  "uri-reference": uriReference,
  uuid,
};

export { email, hostname, ipv4, ipv6 } from "./host.js";
export { jsonPointer, regex, uuid } from "./text.js";
export { date, dateTime, time } from "./time.js";
export { uri, uriReference } from "./uri.js";
