import type { Vocabulary } from "../keyword.js";
import { FORMAT } from "../keywords/assertions.js";
import { APPLICATORS, CONTENT, CORE, META_DATA, UNEVALUATED, VALIDATION } from "../vocabulary.js";

/** The vocabularies of 2020-12, by the last part of their URI. */
export const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  core: CORE,
  applicator: APPLICATORS,
  unevaluated: UNEVALUATED,
  validation: VALIDATION,
  "meta-data": META_DATA,
  "format-annotation": FORMAT,
  content: CONTENT,
};
