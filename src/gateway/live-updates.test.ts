import { describe, expect, test } from "vitest";
import { Failure } from "../base/failure.ts";
import { auditRecord } from "../domain/audit-record.ts";
import { keys } from "../domain/layout.ts";
import type { Garden } from "../garden/core/garden.ts";
import { serveGarden } from "./serve.ts";
import { START, testGateway } from "./testing/test-gateway.ts";

describe("A-4 live updates", () => {
  async function* eventsOf(answer: Response): AsyncGenerator<{ id: string; event: string }> {
    let text = "";
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const lines = Object.fromEntries(
          text
            .slice(0, end)
            .split("\n")
            .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
        ) as Record<string, string>;
        text = text.slice(end + 2);
        if (lines["id"] !== undefined) yield { id: lines["id"], event: lines["event"]! };
      }
    }
  }

  test("events of this and of another process arrive once each, and a stream resumes where it was cut off", async () => {
    const ending = new AbortController();
    const ground = await testGateway(undefined, { pollMs: 20, ended: ending.signal });
    const live = eventsOf(await ground.ask("token", "GET", "/events"));
    await ground.proposal();
    const here = (await live.next()).value!;
    // A record of another process reaches the store without a signal in this process.
    const at = new Date(START + 1000).toISOString();
    const record = auditRecord.parse({ kind: "decided", at, by: "owner", subject: "elsewhere" });
    await ground.garden.store.create(keys.audit(at, "080001-elsewhere"), Buffer.from(JSON.stringify(record)));
    const elsewhere = (await live.next()).value!;
    const resumed = eventsOf(await ground.ask("token", "GET", "/events", { headers: { "last-event-id": here.id } }));
    const again: string[] = [];
    while (!again.includes(elsewhere.id)) again.push((await resumed.next()).value!.id);
    ending.abort();
    const rest = [(await live.next()).done, (await resumed.next()).done];
    expect({
      here: here.event,
      elsewhere: elsewhere.event,
      repeats: again.includes(here.id),
      distinct: new Set(again).size,
      rest,
    }).toEqual({ here: "proposed", elsewhere: "decided", repeats: false, distinct: again.length, rest: [true, true] });
  });
});

const withList = (garden: Garden, list: Garden["store"]["list"]): Garden => ({
  ...garden,
  store: new Proxy(garden.store, {
    get: (target, name) =>
      name === "list" ? list : (Reflect.get(target, name) as (...args: never[]) => unknown).bind?.(target),
  }),
});

test("A-4 an event stream that cannot resume ends without a failure, and holds no place among the listeners", async () => {
  let isAway = false;
  const ending = new AbortController();
  const withAway = (garden: Garden): Garden =>
    withList(garden, async (...asked) => {
      if (isAway && asked[0] === "audit/")
        throw new Failure("UPSTREAM_UNAVAILABLE", { en: "the store is away", uk: "сховище недоступне" });
      return garden.store.list(...asked);
    });
  const ground = await testGateway(withAway, { ended: ending.signal });
  isAway = true;
  const headers = { "last-event-id": "audit/2026-02/14/075900-x.json" };
  const seen = new Set<string>();
  // One more than may listen at the same time.
  for (let count = 0; count < 101; count++) {
    const answer = await ground.ask("token", "GET", "/events", { headers });
    seen.add(`${answer.status} ${await answer.text()}`);
  }
  // Without the release, this closes streams that have failed: an uncaught exception.
  ending.abort();
  expect([...seen]).toEqual(["200 retry: 2000\n\n"]);
});

test("A-4 an id whose date does not exist is unknown: the stream delivers what happens from now on", async () => {
  const ground = await testGateway();
  const token = await ground.token({ kind: "owner", name: "script" });
  const serving = await serveGarden(ground.garden, {
    role: "all",
    host: "127.0.0.1",
    port: 0,
    findFree: false,
    allowedHosts: [],
  });
  const found: string[] = [];
  for (const time of ["2026-19/01/000000", "2026-02/39/000000", "2026-02/14/290000", "2026-00/00/000000"]) {
    const leaving = new AbortController();
    const answer = await fetch(new URL("/events", serving.url), {
      headers: { authorization: `Bearer ${token}`, "last-event-id": `audit/${time}-x.json` },
      signal: leaving.signal,
    });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value ?? "";
    await ground.proposal();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      if (text.includes("event: ")) break;
    }
    found.push(/event: (.*)/.exec(text)?.[1] ?? "ended");
    leaving.abort();
    await reader.closed.catch(() => undefined);
  }
  const isAlive = (await fetch(new URL("/health", serving.url))).status;
  await serving.stop();
  expect({ found, isAlive }).toEqual({ found: ["proposed", "proposed", "proposed", "proposed"], isAlive: 200 });
});

test("A-4 a request after the start of the event stream misses no change", async () => {
  const order: string[] = [];
  const ground = await testGateway((garden) =>
    withList(garden, async (...asked) => {
      const page = await garden.store.list(...asked);
      if (asked[0] !== "audit/") return page;
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
      order.push("passed over what was there");
      return page;
    }),
  );
  const answer = await ground.ask("token", "GET", "/events");
  order.push("answered");
  await answer.body?.cancel();
  expect(order).toEqual(["passed over what was there", "answered"]);
});
