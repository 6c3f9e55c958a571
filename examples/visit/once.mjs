// Loaded before a server that is visited: a large text that is parsed a second time, or made again of what was parsed, fails.
const isLarge = (text) => typeof text === "string" && text.length > 1024 * 1024;
const { parse, stringify } = JSON;
let last;

JSON.parse = (text, ...rest) => {
  if (isLarge(text) && text === last) throw new Error("a body was parsed twice");
  if (isLarge(text)) last = text;
  return parse(text, ...rest);
};

JSON.stringify = (...value) => {
  const text = stringify(...value);
  if (isLarge(text)) throw new Error("a body that was parsed was made text again");
  return text;
};
