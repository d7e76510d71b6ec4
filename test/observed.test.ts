import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type Running, sources, started } from "./bloom.ts";
import { newCluster, until, writerAgent } from "./cluster/cluster.ts";

/** A receiver of OTLP over HTTP that keeps what it gets. */
async function receiver() {
  const got: {
    readonly path: string;
    readonly key: string | undefined;
    readonly text: string;
    readonly status: number;
  }[] = [];
  let status: (path: string, text: string) => number = () => 200;
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      const path = request.url ?? "";
      const given = status(path, text);
      got.push({ path, key: request.headers["x-key"] as string | undefined, text, status: given });
      response.writeHead(given).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => void server.close());
  const of = (path: string) => got.filter((each) => each.path === path);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    of,
    answer: (with_: number | typeof status) => void (status = typeof with_ === "number" ? () => with_ : with_),
  };
}

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A whole garden in one process, with a log of JSON lines. */
async function served(settings: string, more: Readonly<Record<string, string>>) {
  const cluster = await newCluster({ agents: [writerAgent("scribe")], settings });
  const args = ["up", "--json", "--log", "json", "--port", "0"];
  const running: Running = await started(cluster.dir, args, more, sources);
  closers.push(async () => {
    running.process.kill("SIGKILL");
    await running.ended;
  });
  const url = new URL((JSON.parse(running.line) as { url: string }).url);
  const ask = (path: string, init: RequestInit & { readonly token?: string } = {}) =>
    fetch(new URL(path, url), {
      ...init,
      headers: {
        authorization: `Bearer ${init.token ?? cluster.token}`,
        "content-type": "application/json",
        ...(init.headers as Record<string, string>),
      },
    });
  const runOnce = async (correlation: string): Promise<string> => {
    const body = JSON.stringify({ input: { path: "notes/secret-place.md" } });
    const answer = await ask("/agents/scribe/run", {
      method: "POST",
      body,
      headers: { "x-correlation-id": correlation },
    });
    const { run } = (await answer.json()) as { run: { run_id: string } };
    await until("the end of the run", async () => {
      const told = (await (await ask(`/runs/${run.run_id}`)).json()) as { run: { state: string } };
      return told.run.state === "completed";
    });
    return run.run_id;
  };
  const logged = (): Record<string, unknown>[] =>
    running
      .said()
      .split("\n")
      .filter((line) => line.includes('"event"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { running, ask, runOnce, logged };
}

interface Spans {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly { readonly name: string; readonly traceId: string; readonly parentSpanId?: string }[];
    }[];
  }[];
}

describe("a process that is watched", () => {
  test("R-7 telemetry goes to the configured collector, once per run, with names and numbers and no content", async () => {
    const collector = await receiver();
    collector.answer(503);
    const telemetry = `telemetry: { url: "${collector.url}", headers_env: OTLP_HEADERS, every_seconds: 1 }`;
    const { runOnce, running } = await served(telemetry, { OTLP_HEADERS: "x-key=a%20key" });
    const run = await runOnce("one");
    // Away at first: the spans are kept and sent with a later interval.
    await until("a refused document", async () => collector.got.length > 0);
    collector.answer(200);
    const accepted = () => collector.of("/v1/traces").filter(({ status }) => status === 200);
    await until("spans", async () => accepted().length > 0);
    running.process.kill("SIGTERM");
    await running.ended;
    const spans = accepted()
      .flatMap(({ text }) => (JSON.parse(text) as Spans).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans);
    const metrics = collector.of("/v1/metrics").at(-1)!.text;
    const everything = collector.got.map(({ text }) => text).join("\n");
    expect({
      names: spans.map(({ name }) => name),
      traces: new Set(spans.map(({ traceId }) => traceId)).size,
      roots: spans.filter(({ parentSpanId }) => parentSpanId === undefined).length,
      key: new Set(collector.got.map(({ key }) => key)),
      run: everything.includes(run),
      metrics: ["bloom_runs_total", "bloom_steps_total", "bloom_proposals_waiting", "bloom_lease_steals_total"].filter(
        (name) => !metrics.includes(`"${name}"`),
      ),
      content: /secret-place|# N/.test(everything),
      trouble: running.said().split(`telemetry was not accepted at ${collector.url}/v1/metrics`).length - 1,
    }).toEqual({
      names: ["run", "load-context", "read-notes", "create-proposal", "execute-agent", "persist-results", "finalize"],
      traces: 1,
      roots: 1,
      key: new Set(["a key"]),
      run: true,
      metrics: [],
      content: false,
      trouble: 1,
    });
  });

  test("R-7 a collector that refuses metrics, large documents and one run gets the traces of the other runs", async () => {
    const collector = await receiver();
    collector.answer((path) => (path === "/v1/metrics" ? 404 : 503));
    const telemetry = `telemetry: { url: "${collector.url}", headers_env: OTLP_HEADERS, every_seconds: 1 }`;
    const { runOnce, running } = await served(telemetry, { OTLP_HEADERS: "other=x, X-Key = Basic abc==" });
    const runs = [await runOnce("one"), await runOnce("two"), await runOnce("three")];
    await until("refused traces of all runs", async () =>
      collector.of("/v1/traces").some(({ text }) => runs.every((run) => text.includes(run))),
    );
    collector.answer((path, text) => {
      if (path === "/v1/metrics") return 404;
      const found = runs.filter((run) => text.includes(run));
      return found.length > 1 ? 413 : found[0] === runs[0] ? 400 : 200;
    });
    const accepted = () => collector.of("/v1/traces").filter(({ status }) => status === 200);
    await until("traces of two runs", async () => accepted().length >= 2);
    const count = collector.of("/v1/metrics").length;
    await until("two more intervals", async () => collector.of("/v1/metrics").length > count + 1);
    const refusals = (status: number): number => collector.got.filter((each) => each.status === status).length;
    expect({
      accepted: accepted().map(({ text }) => runs.filter((run) => text.includes(run))),
      refused: [refusals(413), refusals(400)],
      keys: new Set(collector.got.map(({ key }) => key)),
      told: running.said().match(/telemetry was (?:not accepted|refused) at \S+ \(HTTP \d+\)/g),
    }).toEqual({
      accepted: [[runs[1]], [runs[2]]],
      refused: [2, 1],
      keys: new Set(["Basic abc=="]),
      told: [
        `telemetry was refused at ${collector.url}/v1/metrics (HTTP 404)`,
        `telemetry was not accepted at ${collector.url}/v1/traces (HTTP 503)`,
        `telemetry was refused at ${collector.url}/v1/traces (HTTP 400)`,
      ],
    });
  });

  test("R-7 A-4 without a collector in garden.yaml nothing is sent; log lines have correlation ids; the metrics token opens /metrics only", async () => {
    const collector = await receiver();
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, BLOOM_METRICS_TOKEN: "watcher-0123456789abcdef" };
    const { ask, runOnce, logged } = await served("", environment);
    const run = await runOnce("corr-1");
    const token = environment.BLOOM_METRICS_TOKEN;
    const statuses = {
      metrics: (await ask("/metrics", { token })).status,
      wrong: (await ask("/metrics", { token: `${token}x` })).status,
      notes: (await ask("/notes", { token })).status,
      run: (await ask("/agents/scribe/run", { token, method: "POST", body: "{}" })).status,
    };
    const unnamed = await ask("/notes");
    const request = logged().find(({ correlation }) => correlation === "corr-1");
    const answered = logged().find(({ correlation }) => correlation === unnamed.headers.get("x-correlation-id"));
    expect({
      statuses,
      sent: collector.got.length,
      request: request && { ...request, at: typeof request["at"], ms: typeof request["ms"] },
      answered: answered?.["route"],
      finished: logged().some(({ event, subject }) => event === "run-finished" && subject === run),
      content: logged().some((line) => JSON.stringify(line).includes("secret-place")),
    }).toEqual({
      statuses: { metrics: 200, wrong: 401, notes: 401, run: 401 },
      sent: 0,
      request: {
        at: "string",
        event: "request",
        method: "POST",
        route: "/agents/:slug/run",
        status: expect.any(Number) as number,
        ms: "number",
        correlation: "corr-1",
      },
      answered: "/notes",
      finished: true,
      content: false,
    });
  });
});
