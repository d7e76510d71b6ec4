import { Failure } from "../../base/failure.ts";
import { authenticate } from "../authenticate.ts";
import { type FeedEvent, isAuditKey } from "../event-feed.ts";
import { type Route, type RouteCall, route } from "../route.ts";

const MAX_LISTENERS = 100;
const HEARTBEAT_MS = 15_000;

export const eventsRoute: Route = route({
  method: "GET",
  path: "/events",
  summary: {
    en: "what happens, as it happens (server-sent events): audit records by their kind, `run-step` for each step of a run, and `alive` now and then; goes on after `Last-Event-ID`",
    uk: "що відбувається, у ту ж мить (server-sent events): записи аудиту за їхнім видом, `run-step` для кожного кроку запуску й час від часу `alive`; продовжує після `Last-Event-ID`",
  },
  allows: ["owner"],
  rate: "read",
  answer: "text/event-stream",
  async handle(call) {
    const { gateway, request } = call;
    const headers = { "Content-Type": "text/event-stream; charset=UTF-8", "X-Accel-Buffering": "no" };
    if (request.method === "HEAD") return new Response(null, { headers });
    if (gateway.feed.listeners >= MAX_LISTENERS) throw tooMany();
    const body = stream(call);
    // Whoever sees this answer and then asks how things are misses nothing: from here on all is told.
    await gateway.feed.ready();
    return new Response(body, { headers });
  },
});

/** A reader that does not keep up is let go: it comes back with the last id that it saw, and misses nothing. */
const MAX_WAITING = 1000;

function stream(call: RouteCall): ReadableStream<Uint8Array> {
  const { request, gateway } = call;
  const { feed } = gateway;
  const last = request.headers.get("last-event-id") ?? "";
  let letGo = (): boolean => false;
  return new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        let open = true;
        /** What comes while the past is still being told waits behind it. */
        let waiting: FeedEvent[] | undefined = [];
        const told = new Set<string>();
        const end = (): void => {
          if (letGo()) controller.close();
        };
        const send = (text: string): void => {
          if (!open) return;
          if ((controller.desiredSize ?? 0) < -MAX_WAITING) end();
          else controller.enqueue(Buffer.from(text));
        };
        const unsubscribe = feed.listen((event) => {
          if (waiting) waiting.push(event);
          else send(asText(event));
        });
        // Without an id: the last one that a listener names stays that of a record, which it goes on from.
        const ignoreSteps = gateway.steps.listen((step) => send(`event: run-step\ndata: ${JSON.stringify(step)}\n\n`));
        const heart = setInterval(
          () => void stillAllowed(call).then((yes) => (yes ? send("event: alive\ndata: {}\n\n") : end())),
          HEARTBEAT_MS,
        );
        letGo = () => {
          if (!open) return false;
          open = false;
          clearInterval(heart);
          unsubscribe();
          ignoreSteps();
          return true;
        };
        for (const signal of [request.signal, feed.ended]) {
          if (signal.aborted) end();
          else signal.addEventListener("abort", end, { once: true });
        }
        send("retry: 2000\n\n");
        if (isAuditKey(last)) {
          for await (const event of feed.since(last)) {
            if (!open) return;
            told.add(event.id);
            send(asText(event));
          }
        }
        const come = waiting;
        waiting = undefined;
        for (const event of come) if (!told.has(event.id)) send(asText(event));
      },
      cancel: () => void letGo(),
    },
    { highWaterMark: 0 },
  );
}

const asText = ({ id, record }: FeedEvent): string =>
  `id: ${id}\nevent: ${record.kind}\ndata: ${JSON.stringify(record)}\n\n`;

/** A session that was ended elsewhere, or is over, ends its streams too. */
async function stillAllowed({ garden, gateway, request }: RouteCall): Promise<boolean> {
  try {
    const caller = await authenticate(garden, request, eventsRoute, gateway.secretOf, async () => new Uint8Array());
    return caller?.identity.type === "owner";
  } catch {
    return false;
  }
}

const tooMany = (): Failure =>
  new Failure(
    "RATE_LIMITED",
    { en: `more than ${MAX_LISTENERS} listen already`, uk: `слухачів уже понад ${MAX_LISTENERS}` },
    { details: { retryAfterSeconds: 30 } },
  );
