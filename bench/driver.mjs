// Speaks to one server over its pipes, with as little work as can be.
import { initialize, initialized } from "./wire.mjs";

const newline = 10;
const answerLimitMs = 120_000;
/** One answer of so many is read and checked. */
const checkedEach = 64;
/** Requests that may leave together are gathered up to this length. */
const writeLength = 256 * 1024;

export function createDriver({ stdin, stdout, exited }) {
  let pieces = [];
  let lastId = 0;
  /** Gets the pieces of each line. */
  let onLine = () => {};
  let onChunk = () => {};
  let fail = () => {};

  stdout.on("data", (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      pieces.push(chunk.subarray(from, at));
      from = at + 1;
      const line = pieces;
      pieces = [];
      onLine(line);
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
    onChunk();
  });
  exited.then(([code, signal]) => fail(new Error(`the server ended with ${code ?? signal}`)));

  function within(run) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail(new Error(`no answer within ${answerLimitMs} ms`)), answerLimitMs);
      const settle = (act) => (value) => {
        clearTimeout(timer);
        onLine = onChunk = fail = () => {};
        act(value);
      };
      fail = settle(reject);
      run(settle(resolve), fail);
    });
  }

  /** Sends what `write` makes of a new id. @returns the result */
  function ask(write) {
    const id = ++lastId;
    return within((resolve, reject) => {
      onLine = (line) => {
        const message = JSON.parse(Buffer.concat(line).toString());
        if (message.id !== id) return;
        if (message.result === undefined) reject(new Error(`refused: ${JSON.stringify(message.error)}`));
        else resolve(message.result);
      };
      stdin.write(`${write(id)}\n`);
    });
  }

  async function open(era) {
    if (era !== "handshake") return;
    await ask(initialize);
    stdin.write(`${initialized}\n`);
  }

  /**
   * Keeps so many calls in flight for a while, then waits for the rest.
   * @returns how many were answered
   */
  function flood({ head, tail }, check, { inFlight = 64, forMs }) {
    return within((resolve, reject) => {
      const stopAt = performance.now() + forMs;
      let owed = inFlight;
      let waiting = 0;
      let answered = 0;

      function send() {
        let text = "";
        for (; owed > 0; owed--) {
          text += `${head}${++lastId}${tail}`;
          waiting++;
          if (text.length < writeLength) continue;
          stdin.write(text, "latin1");
          text = "";
        }
        if (text !== "") stdin.write(text, "latin1");
      }

      onLine = (line) => {
        waiting--;
        owed++;
        if (answered++ % checkedEach > 0) return;
        try {
          check(JSON.parse(Buffer.concat(line).toString()));
        } catch (error) {
          reject(error);
        }
      };
      onChunk = () => {
        if (performance.now() < stopAt) send();
        else if (waiting === 0) resolve(answered);
      };
      send();
    });
  }

  return { ask, open, flood };
}

/** That a call was answered with the text that it sent. */
export function echoes(text) {
  return ({ result }) => {
    if (result?.content?.[0]?.text !== text || result.isError) {
      throw new Error(`a wrong answer: ${JSON.stringify(result).slice(0, 300)}`);
    }
  };
}
