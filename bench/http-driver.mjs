// Speaks HTTP/1.1 to one server over kept connections, with as little work as can be.
import { connect } from "node:net";

const answerLimitMs = 60_000;
const blankLine = "\r\n\r\n";
const lastChunk = "0\r\n\r\n";
/** One answer of so many is read and checked. */
const checkedEach = 64;

/** The head of a POST, up to its length. */
export function headOf(port, headers = {}) {
  const standard = {
    host: `127.0.0.1:${port}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const lines = Object.entries({ ...standard, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join("")}content-length: `;
}

/** One connection, on which one request at a time is under way. */
export async function openConnection(port) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let text = "";
  let done = () => {};
  let heard;
  let fail = () => {};
  socket.setEncoding("latin1").on("data", (chunk) => {
    if (heard !== undefined) return heard(chunk);
    text += chunk;
    if (!isWhole(text)) return;
    const whole = text;
    text = "";
    done(whole);
  });
  socket.on("error", (error) => fail(error)).on("close", () => fail(new Error("the server hung up")));
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));

  return {
    /** @param take gets the response as it came, head and body */
    send(request, take, failed) {
      done = take;
      fail = failed;
      socket.write(request, "latin1");
    },
    /** Reads a response that does not end, piece by piece; the first one has the head. */
    hear(request, take) {
      heard = take;
      socket.write(request, "latin1");
    },
    close() {
      fail = () => {};
      socket.destroy();
    },
  };
}

/** Sends one request. @returns its response */
export function exchange(connection, head, body) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no response in time")), answerLimitMs);
    const settle = (act) => (value) => {
      clearTimeout(timer);
      act(value);
    };
    connection.send(`${head}${Buffer.byteLength(body)}${blankLine}${body}`, settle(resolve), settle(reject));
  });
}

/** Keeps each connection busy for a while. @returns how long each call took, in ms */
export function flood(connections, head, { head: before, tail }, check, forMs) {
  const after = tail.trimEnd();
  const rest = before.length + after.length;
  return new Promise((resolve, reject) => {
    const stopAt = performance.now() + forMs;
    const times = [];
    let id = 1_000;
    let active = connections.length;
    const next = (connection) => {
      const sentAt = performance.now();
      const own = String(id++);
      const request = `${head}${rest + own.length}${blankLine}${before}${own}${after}`;
      const take = (response) => {
        const now = performance.now();
        if (times.push(now - sentAt) % checkedEach === 1) {
          try {
            check(messageIn(response));
          } catch (error) {
            return reject(error);
          }
        }
        if (now < stopAt) next(connection);
        else if (--active === 0) resolve(times);
      };
      connection.send(request, take, reject);
    };
    for (const connection of connections) next(connection);
  });
}

/** The message that a response carries, in whichever way. */
export function messageIn(response) {
  return JSON.parse(response.slice(response.indexOf("{"), response.lastIndexOf("}") + 1));
}

export function headerIn(response, name) {
  return new RegExp(`\r\n${name}: *([^\r]*)`, "i").exec(response)?.[1];
}

function isWhole(text) {
  const end = text.indexOf(blankLine);
  if (end === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length !== undefined) return text.length >= end + blankLine.length + Number(length);
  return !/\r\ntransfer-encoding: *chunked/i.test(text.slice(0, end)) || text.endsWith(lastChunk);
}
