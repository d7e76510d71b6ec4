import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { allowListEgress } from "../../../../adapters/egress/allow-list.ts";
import { webLinksIn } from "../../../../domain/note/web-links.ts";
import { answersTo, expectedOf, type ToolRow, toolGround } from "../testing/tool-ground.ts";

const notes = {
  "notes/a.md": "---\ntags: [x]\n---\n# A\n\n- [ ] Call Hanna\n- [x] Water\nDECIDED: plant in May\n",
  "notes/b/c.md": "* [ ] Buy seeds\n",
};
const places = (answer: unknown) =>
  (answer as { slug: string; line: number; rest: string }[]).map(({ slug, line, rest }) => `${slug}:${line} ${rest}`);

test("R-3 find-lines finds lines by their beginning or their words, with the rest behind them", async () => {
  const rows: readonly ToolRow[] = [
    ["one beginning", { starts_with: "- [ ]" }, ["a:6 Call Hanna"]],
    ["one of several", { starts_with: ["- [ ]", "* [ ]"] }, ["a:6 Call Hanna", "b/c:1 Buy seeds"]],
    ["words in any letter case", { contains: "decided:" }, ["a:8 plant in May"]],
    ["both", { starts_with: "- [", contains: "hanna" }, ["a:6 ] Call Hanna"]],
    ["one note", { contains: "seeds", note: "a" }, []],
    ["one folder", { starts_with: ["- [ ]", "* [ ]"], folder: "b" }, ["b/c:1 Buy seeds"]],
    ["a limit", { starts_with: "- [", limit: 1 }, ["a:6 ] Call Hanna"]],
    ["no words: nothing", {}, []],
    ["an empty text", { contains: "" }, /^VALIDATION_FAILED: contains/],
    ["a note that is missing", { contains: "x", note: "zzz" }, /^NOT_FOUND/],
  ];
  const ground = await toolGround({ notes });
  expect(await answersTo(ground, "find-lines", rows, places)).toEqual(expectedOf(rows));
});

test("C-11 find-lines sees context.folder only", async () => {
  const { use } = await toolGround({ notes, contract: "context: { folder: b }" });
  expect(places(await use("find-lines", { starts_with: ["- [ ]", "* [ ]"] }))).toEqual(["b/c:1 Buy seeds"]);
});

test("R-3 today gives the date of the contract's time zone, and of the week of ISO 8601", async () => {
  const { use } = await toolGround({ contract: "timezone: Pacific/Kiritimati" });
  expect(await use("today")).toEqual({
    date: "2026-02-14",
    weekday: "Saturday",
    week: "2026-W07",
    month: "2026-02",
    time: "22:00",
    yesterday: "2026-02-13",
    tomorrow: "2026-02-15",
    week_ago: "2026-02-07",
  });
});

test("R-6 web-links asks listed hosts once for each address, and sends nothing to others", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const answers: Record<string, number> = { "/ok": 200, "/gone": 410, "/get-only": 405, "/private": 401 };
    const status = answers[request.url ?? ""] ?? 500;
    response.statusCode = request.method === "GET" && request.url === "/get-only" ? 200 : status;
    response.end();
  });
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const text = ["/ok", "/gone", "/get-only", "/private", "/error", "/ok"].map((path) => `- <http://${host}${path}>`);
  const ground = await toolGround({
    notes: { "notes/a.md": `${text.join("\n")}\n- [x](https://example.com/a)\n` },
    egress: allowListEgress({ allow: [host] }),
  });
  const answer = (await ground.use("web-links")) as { line: number; state: string; status: number | null }[];
  server.close();
  expect(answer.map(({ line, state, status }) => [line, state, status])).toEqual([
    [1, "ok", 200],
    [2, "gone", 410],
    [3, "ok", 200],
    [4, "ok", 401],
    [5, "failing", 500],
    [6, "ok", 200],
    [7, "not-allowed", null],
  ]);
  expect(asked.toSorted()).toEqual([
    "GET /get-only",
    "HEAD /error",
    "HEAD /get-only",
    "HEAD /gone",
    "HEAD /ok",
    "HEAD /private",
  ]);
});

test.each([
  ["words [a](https://a.example/x_(y)) more", ["https://a.example/x_(y)"]],
  ["See https://a.example/x. And (https://b.example/)!", ["https://a.example/x", "https://b.example/"]],
  ["`https://code.example`", []],
  ["```\nhttps://code.example\n```\n", []],
  ["%% https://hidden.example %%", []],
  ["https:// is no address", []],
])("addresses of the web in %j", (text, expected) => {
  expect(webLinksIn(text).map(({ url }) => url)).toEqual(expected);
});
