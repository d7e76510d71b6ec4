import { describe, expect, test } from "vitest";
import type { ProcessRole } from "../domain/peer.ts";
import type { Pause } from "../garden/core/flow/pause.ts";
import { gardenWith } from "../garden/testing/scratch.ts";
import type { EngineEndpoint } from "../ports/orchestrator.ts";
import { gatewayApp } from "./app.ts";
import { engineCalls } from "./engine-calls.ts";
import type { GatewayRuns } from "./route.ts";
import { idleRuns } from "./testing/test-gateway.ts";

describe("calls of an engine", () => {
  const most = 4_000_000;
  /** A gateway whose engine answers with the size of the body, and a body that is sent in chunks of 100 kB. */
  const engineGround = async (role: ProcessRole = "all") => {
    const { garden } = await gardenWith();
    const read = { bytes: 0, calls: 0, sent: 0 };
    const endpoint: EngineEndpoint = {
      path: "/api/engine",
      async answer(request) {
        read.calls++;
        if (request.headers.has("x-unsigned")) return new Response("unsigned", { status: 401 });
        for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) read.bytes += chunk.length;
        return new Response(`${request.method} ${read.bytes}`);
      },
    };
    const runs: GatewayRuns = { ...idleRuns(garden), endpoint };
    const app = gatewayApp(garden, { host: "127.0.0.1", allowedHosts: [], runs, role });
    const call = async (method: string, bytes: number, more: Record<string, string> = {}) => {
      const headers = { host: "localhost", ...more };
      let left = bytes;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (left === 0) return controller.close();
          const size = Math.min(left, 100_000);
          left -= size;
          read.sent += size;
          controller.enqueue(new Uint8Array(size));
        },
      });
      const init = { method, headers, ...(bytes > 0 && { body, duplex: "half" }) };
      return app.fetch(new Request("http://localhost/api/engine/invoke", init));
    };
    return { read, call };
  };

  test("A-3 a call up to the limit reaches the engine whole, and a call without a body too", async () => {
    const { call } = await engineGround();
    const answers = [await call("GET", 0), await call("PUT", 0), await call("POST", most)];
    expect(await Promise.all(answers.map((each) => each.text()))).toEqual(["GET 0", "PUT 0", `POST ${most}`]);
  });

  test("A-3 a body over the limit is cut off while it is streamed, and answered with 413 and the error body", async () => {
    const { call, read } = await engineGround();
    const answer = await call("POST", 300_000_000);
    expect([answer.status, await answer.json()]).toMatchObject([
      413,
      { error: { code: "VALIDATION_FAILED", details: { limit: most } } },
    ]);
    expect(read.bytes).toBeLessThanOrEqual(most);
    expect(read.sent).toBeLessThan(most + 1_000_000);
  });

  test("A-3 a declared size over the limit is refused before anything is read", async () => {
    const { call, read } = await engineGround();
    const answer = await call("POST", 300_000_000, { "content-length": "300000000" });
    expect([answer.status, read.calls, read.bytes]).toEqual([413, 0, 0]);
  });

  test("A-3 an engine refuses an unsigned call without reading its body, and further calls are answered", async () => {
    const { call, read } = await engineGround();
    const statuses: number[] = [];
    for (let count = 0; count < 20; count++)
      statuses.push((await call("POST", 300_000_000, { "x-unsigned": "1" })).status);
    expect([new Set(statuses), read.bytes, await (await call("POST", most)).text()]).toEqual([
      new Set([401]),
      0,
      `POST ${most}`,
    ]);
  });

  test("A-3 calls of an engine share a budget, which is released when they are answered", async () => {
    let answerAll = (): void => undefined;
    const all = new Promise<void>((resolve) => (answerAll = resolve));
    const held = new Set<Request>();
    const call = engineCalls({
      path: "/api/engine",
      async answer(request) {
        await request.arrayBuffer();
        held.add(request);
        await all;
        return new Response("done");
      },
    });
    const post = () => call(new Request("http://x/", { method: "POST", body: new Uint8Array(most) }), true);
    const first = Array.from({ length: 16 }, post);
    while (held.size < 16) await new Promise(setImmediate);
    const over = await post();
    answerAll();
    await Promise.all(first);
    expect(["refused" in over && over.refused.code, "answer" in (await post())]).toEqual(["RATE_LIMITED", true]);
  });

  /** An engine that reads whole bodies, and calls that send so many bytes at once and then nothing. */
  const unfinished = (pause?: Pause) => {
    const call = engineCalls(
      {
        path: "/api/engine",
        answer: async (request) => new Response(`read ${(await request.arrayBuffer()).byteLength}`),
      },
      pause,
    );
    const post = (body: BodyInit) => {
      const init = { method: "POST", body, duplex: "half" };
      return call(new Request("http://x/", init), false);
    };
    const seen = { stalled: 0 };
    const begin = (bytes: number) => {
      let left = bytes;
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            if (left === 0) {
              seen.stalled++;
              return new Promise(() => undefined);
            }
            const size = Math.min(left, 100_000);
            left -= size;
            controller.enqueue(new Uint8Array(size));
            return undefined;
          },
        },
        { highWaterMark: 0 },
      );
      return post(body);
    };
    const allRead = async (count: number): Promise<void> => {
      while (seen.stalled < count) await new Promise(setImmediate);
    };
    const told = async (answer: ReturnType<typeof post>): Promise<string> => {
      const given = await answer;
      return "refused" in given ? given.refused.code : await given.answer.text();
    };
    return { post, begin, allRead, told };
  };

  test("A-3 unfinished large calls without a signature refuse a large call and no small one", async () => {
    const { post, begin, allRead, told } = unfinished();
    for (let count = 0; count < 16; count++) void begin(most);
    await allRead(16);
    expect([
      await told(post(new Uint8Array(300))),
      await told(post(new Uint8Array(256 * 1024))),
      await told(post(new Uint8Array(most))),
    ]).toEqual(["read 300", "read 262144", "RATE_LIMITED"]);
  });

  test("A-3 of unfinished small calls without a signature the oldest is ended when there is no room for another call", async () => {
    const { post, begin, allRead, told } = unfinished();
    const waiting = Array.from({ length: 256 }, () => begin(256 * 1024));
    await allRead(256);
    const given = [await told(post(new Uint8Array(300))), await told(waiting[0]!)];
    const second = await Promise.race([told(waiting[1]!), new Promise((resolve) => setTimeout(resolve, 50, "waits"))]);
    expect([...given, second]).toEqual(["read 300", "RATE_LIMITED", "waits"]);
  });

  test("A-3 a body that does not arrive is ended after 10 s, and its room is free again", async () => {
    const asked: number[] = [];
    let isLate = false;
    const pauses: (() => void)[] = [];
    const { post, begin, allRead, told } = unfinished((ms, signal) => {
      asked.push(ms);
      return new Promise((resolve) => {
        pauses.push(resolve);
        signal?.addEventListener("abort", () => resolve());
        if (isLate) resolve();
      });
    });
    const waiting = Array.from({ length: 16 }, () => begin(most));
    await allRead(16);
    const before = await told(post(new Uint8Array(most)));
    isLate = true;
    for (const end of pauses) end();
    const ended = await Promise.all(waiting.map(told));
    isLate = false;
    expect({
      before,
      ended: new Set(ended),
      after: await told(post(new Uint8Array(most))),
      isWithin: Math.max(...asked) === 10_000 && Math.min(...asked) > 0,
    }).toEqual({
      before: "RATE_LIMITED",
      ended: new Set(["UPSTREAM_UNAVAILABLE"]),
      after: `read ${most}`,
      isWithin: true,
    });
  });

  test("A-3 an endpoint that works for long before it reads the end of a body is not cut off", async () => {
    const pauses: (() => void)[] = [];
    const call = engineCalls(
      {
        path: "/api/engine",
        async answer(request) {
          const reader = (request.body as ReadableStream<Uint8Array>).getReader();
          const first = await reader.read();
          for (const end of pauses) end(); // it works for longer than any pause
          await new Promise(setImmediate);
          return new Response(`${first.value?.length} ${(await reader.read()).done}`);
        },
      },
      (_, signal) =>
        new Promise((resolve) => {
          pauses.push(resolve);
          signal?.addEventListener("abort", () => resolve());
        }),
    );
    const answered = await call(new Request("http://x/", { method: "POST", body: new Uint8Array(300) }), true);
    expect({
      answer: "answer" in answered && (await answered.answer.text()),
      pauses: pauses.length > 0,
    }).toEqual({ answer: "300 true", pauses: true });
  });

  test.each([
    ["gateway", 404],
    ["worker", 200],
    ["all", 200],
  ] as const)("O-10 a process with the role %s answers an engine with %i", async (role, status) => {
    const { call } = await engineGround(role);
    expect((await call("POST", 10)).status).toBe(status);
  });
});
