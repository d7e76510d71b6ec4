import { describe, expect, test } from "vitest";
import type { Failure } from "../../../base/failure.ts";
import type { Egress } from "../../../ports/egress.ts";
import { allowListEgress } from "../../egress/allow-list.ts";
import { readerConformance } from "../conformance.ts";
import { type Behaviour, json, notebookOf, proxyServer } from "../testing/proxy-server.ts";
import { notebooklmReader } from "./notebooklm-reader.ts";

const signal = new AbortController().signal;
const wayTo = (...allow: string[]): Egress => allowListEgress({ allow });

readerConformance("notebooklm", async (sources) => {
  const { url, host } = await proxyServer(notebookOf(sources));
  return { reader: notebooklmReader({ url, egress: wayTo(host) }), notebook_id: "nb_violin_main" };
});

const answer = { answer: "Так [1].", references: [{ citation_number: 1, source_title: "А", cited_text: "Так." }] };

test("R-4 a request follows the proxy's contract", async () => {
  const { url, host, arrived } = await proxyServer((response) => json(response, 200, answer));
  const reader = notebooklmReader({ url: `${url}/`, key: "secret", egress: wayTo(host) });
  const about = [{ title: "notes/a.md", text: "Текст нотатки." }];
  const given = await reader.ask({
    question: "Що це?",
    system_prompt: "Коротко.",
    notebook_id: "nb/1",
    about,
    sources: about,
    signal,
  });
  expect(given).toEqual(answer);
  expect(arrived).toEqual([
    {
      method: "POST",
      path: "/v1/notebooks/nb%2F1/chat",
      authorization: "Bearer secret",
      body: {
        question: "Що це?\n\n--- notes/a.md ---\nТекст нотатки.\n---",
        system_prompt: "Коротко.",
        show_sources: true,
      },
    },
  ]);
});

describe("R-4 every failure is NLM_UNAVAILABLE with its reason", () => {
  const cases: readonly (readonly [string, Behaviour, RegExp])[] = [
    [
      "the proxy's own error",
      (r) => json(r, 404, { error: { code: "NOTEBOOK_NOT_FOUND", message: "no such notebook" } }),
      /404, NOTEBOOK_NOT_FOUND, no such notebook/,
    ],
    ["FastAPI's error", (r) => json(r, 422, { detail: "bad body" }), /422, bad body/],
    ["an expired sign-in", (r) => json(r, 401, { error: { message: "sign in again" } }), /401, sign in again/],
    [
      "an HTML page instead of an answer",
      (r) => void r.writeHead(502).end("<html>Bad Gateway</html>"),
      /502, <html>Bad Gateway/,
    ],
    ["too many requests", (r) => void r.writeHead(429).end(), /refused: 429$/],
    ["broken JSON", (r) => void r.writeHead(200).end('{"answer": "a'), /unreadable answer$/],
    ["JSON of another shape", (r) => json(r, 200, { text: "hello" }), /unreadable answer$/],
    ["references of another type", (r) => json(r, 200, { answer: "a", references: "b" }), /unreadable answer$/],
    ["an empty answer", (r) => void r.writeHead(200).end(), /unreadable answer$/],
    ["a broken connection", (r) => void r.destroy(), /cannot be reached/],
    ["no answer within the time limit", () => undefined, /no answer within 0\.2 s/],
    [
      "half an answer within the time limit",
      (r) => void r.writeHead(200).write('{"answer":'),
      /no answer within 0\.2 s/,
    ],
    [
      "an answer that is too large",
      (r) => void r.writeHead(200).end("x".repeat(5 * 1024 * 1024)),
      /the answer of NotebookLM is too large/,
    ],
  ];
  test.each(cases)("%s", async (_, behave, reason) => {
    const { url, host } = await proxyServer(behave);
    const isSilent = reason.source.includes("within");
    const reader = notebooklmReader({ url, egress: wayTo(host), ...(isSilent && { limitMs: 200 }) });
    const failure = await reader
      .ask({ question: "?", notebook_id: "n", sources: [], signal })
      .catch((error: Failure) => error);
    expect(failure).toMatchObject({ code: "NLM_UNAVAILABLE", message: expect.stringMatching(reason) as string });
  });

  test.each<[string, number[], Record<string, string>, number, RegExp | undefined]>([
    ["asks for a retry is asked again", [429, 503, 200], {}, 3, undefined],
    ["asks for more retries than the limit is not asked again", [503, 503, 503, 503, 200], {}, 4, /refused: 503/],
    [
      "asks for a longer pause than the limit is not asked again",
      [503, 200],
      { "retry-after": "3600" },
      1,
      /refused: 503/,
    ],
    ["refuses is not asked again", [500, 200], {}, 1, /refused: 500/],
  ])("a proxy that %s", async (_, statuses, headers, times, reason) => {
    let tries = 0;
    const { url, host, arrived } = await proxyServer((response) => {
      const status = statuses[tries++]!;
      if (status === 200) json(response, 200, answer);
      else response.writeHead(status, headers).end();
    });
    const reader = notebooklmReader({ url, egress: wayTo(host), pausesMs: [1, 1, 1] });
    const given = await reader
      .ask({ question: "?", notebook_id: "n", sources: [], signal })
      .catch((error: Failure) => error);
    expect(arrived).toHaveLength(times);
    expect(given).toMatchObject(
      reason ? { code: "NLM_UNAVAILABLE", message: expect.stringMatching(reason) as string } : answer,
    );
  });

  test("a proxy that cannot be reached", async () => {
    const reader = notebooklmReader({ url: "http://127.0.0.1:1", egress: wayTo("127.0.0.1:1") });
    await expect(reader.ask({ question: "?", notebook_id: "n", sources: [], signal })).rejects.toMatchObject({
      code: "NLM_UNAVAILABLE",
      message: expect.stringContaining("cannot be reached") as string,
    });
    expect(await reader.health()).toEqual({ ok: false, place: "http://127.0.0.1:1" });
  });

  test("a missing notebook id", async () => {
    const reader = notebooklmReader({ url: "http://127.0.0.1:1", egress: wayTo() });
    await expect(reader.ask({ question: "?", sources: [], signal })).rejects.toMatchObject({ code: "NLM_UNAVAILABLE" });
  });
});

test("R-6 a proxy that is not on the list gets no request", async () => {
  const { url, arrived } = await proxyServer((response) => json(response, 200, answer));
  const reader = notebooklmReader({ url, egress: wayTo("example.org") });
  await expect(reader.ask({ question: "?", notebook_id: "n", sources: [], signal })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  expect(arrived).toEqual([]);
});

test("R-6 a redirect to another host is not followed", async () => {
  const other = await proxyServer((response) => json(response, 200, answer));
  const { url, host } = await proxyServer(
    (response) => void response.writeHead(307, { location: `${other.url}/v1` }).end(),
  );
  const reader = notebooklmReader({ url, egress: wayTo(host) });
  await expect(reader.ask({ question: "?", notebook_id: "n", sources: [], signal })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  expect(other.arrived).toEqual([]);
});

test("A-2 no failure contains the key", async () => {
  const { url, host } = await proxyServer((response) => json(response, 401, { error: { message: "no" } }));
  const reader = notebooklmReader({ url, key: "very-secret", egress: wayTo(host) });
  const failure = await reader
    .ask({ question: "?", notebook_id: "n", sources: [], signal })
    .catch((error: Failure) => error);
  expect(JSON.stringify([failure, (failure as Failure).text, (failure as Failure).details])).not.toContain(
    "very-secret",
  );
});
