import { expectTypeOf, test } from "vitest";
import {
  type Channel,
  connect,
  type Dial,
  type Handler,
  type JsonObject,
  LocalError,
  type LocalErrorCode,
  over,
  type Peer,
  type Result,
  serialized,
  type Transport,
  unanswered,
} from "./index.js";

type WireShape = { readonly name: string; readonly title?: string | undefined };
interface NoWireShape {
  readonly name: string;
}

test("a result is a wire shape, or text that was serialized already", () => {
  expectTypeOf<WireShape>().toExtend<Result>();
  expectTypeOf(serialized({})).toExtend<Result>();
  expectTypeOf(unanswered).toExtend<Result>();
  // an interface may get members elsewhere, so it is no wire shape
  expectTypeOf<NoWireShape>().not.toExtend<Result>();
  expectTypeOf<string>().not.toExtend<Result>();
  expectTypeOf<readonly unknown[]>().not.toExtend<Result>();
});

test("a handler may answer at once or later, and listen or not", () => {
  expectTypeOf<{ request: () => WireShape }>().toExtend<Handler>();
  expectTypeOf<{ request: () => Promise<WireShape>; notification: () => Promise<void> }>().toExtend<Handler>();
  expectTypeOf<{ notification: () => void }>().not.toExtend<Handler>();
});

test("a transport opens at once or later, and its send says whether it drained", () => {
  expectTypeOf<() => Channel>().toExtend<Transport>();
  expectTypeOf<() => Promise<Channel>>().toExtend<Transport>();
  expectTypeOf<{ send: () => void; close: () => Promise<void> }>().toExtend<Channel>();
  expectTypeOf(over).returns.toEqualTypeOf<Dial>();
  expectTypeOf(connect).returns.toEqualTypeOf<Promise<Peer>>();
  expectTypeOf<Peer["request"]>().returns.toEqualTypeOf<Promise<JsonObject>>();
});

test("the code of a local error is a closed set", () => {
  expectTypeOf<LocalError["code"]>().toEqualTypeOf<LocalErrorCode>();
  // @ts-expect-error -- no such code
  void new LocalError("NO_SUCH_CODE", "");
});
