import { expect, test } from "vitest";
import { DRAFT_2020_12 } from "../vocabulary.js";
import { VOCABULARIES } from "./vocabularies.js";

test("each keyword of 2020-12 is in one vocabulary", () => {
  const names = Object.values(VOCABULARIES).flatMap((vocabulary) => Object.keys(vocabulary));
  expect(names.sort()).toEqual(Object.keys(DRAFT_2020_12).sort());
});
