import { lines, type SpecLine } from "../line.js";

/** Groups PRM and CMP: prompts, and suggestions for their arguments. */
export const prompt: readonly SpecLine[] = [
  ...lines("server/prompts", [
    ["PRM-01", "All", "who has prompts says so"],
    ["PRM-02", "M", "prompts are listed"],
    ["PRM-03", "All", "an unknown prompt, and a missing argument, are invalid params"],
    ["PRM-04", "All", "an argument is text"],
    ["PRM-05", "All", "arguments are checked first"],
    ["PRM-06", "All", "unknown arguments are ignored"],
    ["PRM-07", "All", "images and sound are base64, with their type"],
    ["PRM-08", "All", "an embedded resource has a URI, a type and its content"],
    ["PRM-09", "All", "a message has a role and one block"],
    ["PRM-10", "All", "that the list changed is told"],
    ["PRM-11", "All", "a long list is read to its end"],
    ["PRM-14", "M", "getting one may ask first"],
    ["PRM-12", "All", "what is not announced is not asked for"],
  ]),
  ...lines("server/utilities/completion", [
    ["CMP-01", "25-03+", "who completes says so"],
    ["CMP-02", "All", "a hundred values, and how many more there are"],
    ["CMP-03", "All", "a template is named by its text or a URI"],
    ["CMP-04", "All", "what cannot be completed is refused"],
    ["CMP-05", "All", "an argument without suggestions has none"],
    ["CMP-06", "25-06+", "arguments chosen already are known"],
    ["CMP-07", "All", "suggestions are in order of relevance"],
    ["CMP-08", "All", "what is missing of an answer is nothing to suggest"],
  ]),
];
