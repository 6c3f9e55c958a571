import fc from "fast-check";
import { type Conversation, recordCorpus } from "../fuzz/corpus.js";
import { mutate } from "../fuzz/mutate.js";
import { createRandom } from "../fuzz/random.js";
import { createSubject } from "../fuzz/subject.js";

export const id: fc.Arbitrary<string | number> = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(0, -1, 1, Number.MAX_SAFE_INTEGER, "", "0", "1", "__proto__", "é漢🎉", "\u2028"),
  fc.string({ unit: "binary" }),
);

/** Objects that have some of the members of messages, with values that are often right. */
export const messageLike: fc.Arbitrary<object> = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 8, arbitrary: fc.constant("2.0") }, { weight: 1, arbitrary: fc.jsonValue() }),
    id: fc.oneof({ weight: 3, arbitrary: id }, { weight: 1, arbitrary: fc.jsonValue() }),
    method: fc.oneof({ weight: 3, arbitrary: fc.string() }, { weight: 1, arbitrary: fc.jsonValue() }),
    params: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
    result: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
    error: fc.oneof(fc.record({ code: fc.oneof(fc.integer(), fc.double()), message: fc.string() }), fc.jsonValue()),
  },
  { requiredKeys: [] },
);

export const corpus: readonly Conversation[] = await recordCorpus(createSubject());

const recorded = corpus.flatMap(({ toServer, toClient }) => [...toServer, ...toClient]);

/** Messages of our own client and server, changed a little. */
export const mutant: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...recorded), fc.constantFrom(...recorded), fc.nat())
  .map(([text, other, seed]) => mutate(text, other, createRandom(seed)).toString().replaceAll("\n", " "));
