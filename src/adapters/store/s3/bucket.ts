import { setTimeout as pause } from "node:timers/promises";
import type { World } from "../../../base/world.ts";
import { type BucketPage, bareEtag, errorCodeOf, readBucketPage } from "./bucket-xml.ts";
import { type EndpointAnswer, NoAnswer, type S3Endpoint } from "./endpoint.ts";
import { type BucketPlace, badAnswer, silentFailure } from "./failures.ts";
import { type S3Credentials, signRequest, uriPath } from "./sigv4.ts";

/** `free`: nothing has this name. An ETag: the object is still that one. */
export type WriteCondition = "free" | { readonly etag: string };

export interface BucketObject {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

export type BucketPut = { readonly kind: "done"; readonly etag: string } | { readonly kind: "refused" };

interface Call {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly name: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

const MAX_READS = 4;
const MAX_CONNECTS = 3;
const MAX_THROTTLED = 7;
const MAX_CONFLICTS = 20;
/** No further attempt begins after this time. */
const PATIENCE_MS = 30_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 3000;
/** The server refused the request before it did anything. */
const THROTTLED = new Set(["SlowDown", "ServiceUnavailable", "Throttling", "ThrottlingException", "TooManyRequests"]);
/** Two writes met, or the server gave up reading the request: nothing was written. */
const MET = new Set(["ConditionalRequestConflict", "OperationAborted", "RequestTimeout"]);

/**
 * The requests that a store needs, with retries where it is certain that nothing happened: a connection that was never made, a
 * throttled request, a clock that differs, two writes that met; reads are always retried. Anything else that happens to a write
 * is a failure with outcome `unknown`.
 */
export class Bucket {
  readonly place: BucketPlace;
  readonly #endpoint: S3Endpoint;
  readonly #credentials: S3Credentials;
  readonly #region: string;
  readonly #world: World;
  readonly #url: URL;
  #skewMs = 0;
  #server = "";
  /** Debian's Ceph wants ETags in `If-Match` without quotes; the standard wants them. The self-test finds out. */
  quotes = true;

  constructor(place: BucketPlace, region: string, credentials: S3Credentials, endpoint: S3Endpoint, world: World) {
    this.place = place;
    this.#region = region;
    this.#credentials = credentials;
    this.#endpoint = endpoint;
    this.#world = world;
    this.#url = new URL(place.endpoint);
  }

  /** Name of the server software, from the last answer. */
  get server(): string {
    return this.#server || "the S3 server";
  }

  async get(name: string): Promise<BucketObject | undefined> {
    const { status, headers, body } = await this.#call({ method: "GET", name });
    if (status === 404) return undefined;
    return { bytes: body, etag: bareEtag(headers["etag"]) };
  }

  async put(name: string, bytes: Uint8Array, condition?: WriteCondition): Promise<BucketPut> {
    const { status, headers } = await this.#call({
      method: "PUT",
      name,
      body: bytes,
      headers: this.#headers(condition),
    });
    if (status === 412 || status === 404) return { kind: "refused" };
    return { kind: "done", etag: bareEtag(headers["etag"]) };
  }

  /** A condition only for a server that keeps it. */
  async delete(name: string, condition?: WriteCondition): Promise<"done" | "refused"> {
    const { status } = await this.#call({ method: "DELETE", name, headers: this.#headers(condition) });
    return status === 412 || (status === 404 && condition !== undefined) ? "refused" : "done";
  }

  /** Objects whose names begin with `prefix`, after `after`, by the bytes of their names. `nowMs` is the server's time. */
  async list(prefix: string, after: string, limit: number): Promise<BucketPage & { readonly nowMs: number }> {
    const query = {
      "list-type": "2",
      "encoding-type": "url",
      "max-keys": `${limit}`,
      prefix,
      ...(after !== "" && { "start-after": after }),
    };
    const { body, headers } = await this.#call({ method: "GET", name: "", query });
    try {
      return { ...readBucketPage(body.toString()), nowMs: Date.parse(headers["date"] ?? "") };
    } catch (error) {
      throw silentFailure(this.place, "the answer is not a list of objects", "none", error);
    }
  }

  close(): void {
    this.#endpoint.close();
  }

  #headers(condition: WriteCondition | undefined): Readonly<Record<string, string>> {
    if (condition === undefined) return {};
    if (condition === "free") return { "if-none-match": "*" };
    return { "if-match": this.quotes ? `"${condition.etag}"` : condition.etag };
  }

  async #call(call: Call): Promise<EndpointAnswer> {
    const isRead = call.method === "GET";
    const began = performance.now();
    let skewed = false;
    for (let tries = 1; ; tries++) {
      const mayRepeat = (most: number): boolean => tries < most && performance.now() - began < PATIENCE_MS;
      let answer: EndpointAnswer;
      try {
        answer = await this.#send(call);
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        const isUnknown = error.sent && !isRead;
        if (isUnknown || !mayRepeat(error.sent ? MAX_READS : MAX_CONNECTS))
          throw silentFailure(this.place, error.message, isUnknown ? "unknown" : "none", error);
        await this.#backOff(tries);
        continue;
      }
      const { status } = answer;
      if ((status >= 200 && status < 300) || status === 412) return answer;
      const code = errorCodeOf(answer.body);
      if (status === 404 && code === "NoSuchKey") return answer;
      if (code === "RequestTimeTooSkewed" && !skewed && this.#followClock(answer)) {
        skewed = true;
        continue;
      }
      const isThrottled = status === 429 || THROTTLED.has(code);
      const haveMet = MET.has(code) || (code === CEPH_MET && isCeph(answer.headers) && isConditional(call));
      // A 404 without a code of S3 comes from a proxy on the way. It says nothing about the object.
      const isPassing = status >= 500 || (status === 404 && code === "");
      const mostReads = isPassing && isRead ? MAX_READS : 0;
      const most = isThrottled ? MAX_THROTTLED : haveMet ? MAX_CONFLICTS : mostReads;
      if (mayRepeat(most)) {
        await this.#backOff(isThrottled ? tries + 2 : tries);
        continue;
      }
      const isCertain = isRead || status < 500 || isThrottled || haveMet;
      throw badAnswer(this.place, status, isThrottled ? "SlowDown" : code, isCertain ? "none" : "unknown");
    }
  }

  async #send({ method, name, query = {}, headers = {}, body = EMPTY }: Call): Promise<EndpointAnswer> {
    const base = this.#url.pathname.replace(/\/$/, "");
    const path = `${base}/${uriPath(this.place.bucket)}${name === "" ? "" : `/${uriPath(name)}`}`;
    const unsigned = { method, host: this.#url.host, path, query, headers, body };
    const signed = signRequest(unsigned, this.#credentials, this.#region, this.#world.now() + this.#skewMs);
    const target = signed.query === "" ? path : `${path}?${signed.query}`;
    const answer = await this.#endpoint.send({ method, target, headers: signed.headers, body });
    this.#server = nameOf(answer.headers) ?? this.#server;
    return answer;
  }

  /** Uses the server's time from now on. False if the answer does not tell it. */
  #followClock({ headers }: EndpointAnswer): boolean {
    const there = Date.parse(headers["date"] ?? "");
    if (Number.isNaN(there)) return false;
    this.#skewMs = there - this.#world.now();
    return true;
  }

  /** Waits longer after each attempt, by a random part, so that many clients do not come back together. */
  async #backOff(tries: number): Promise<void> {
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);
    await pause(longest * (0.5 + this.#world.random(1)[0]! / 512));
  }
}

const EMPTY = new Uint8Array();
const CEPH = "Ceph";
/** Ceph up to version 18 answers 500 with this code to a conditional write that it cancelled because another one was faster. */
const CEPH_MET = "UnknownError";
const isConditional = ({ headers = {} }: Call): boolean => "if-match" in headers || "if-none-match" in headers;

/** By the id of the request: a proxy on the way may give its own name as that of the server. */
const isCeph = (headers: EndpointAnswer["headers"]): boolean =>
  headers["x-amz-request-id"]?.startsWith("tx0000") ?? false;

const nameOf = (headers: EndpointAnswer["headers"]): string | undefined =>
  headers["server"] ?? (isCeph(headers) ? CEPH : undefined);
