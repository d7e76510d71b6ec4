import { Failure } from "../../../base/failure.ts";

/** The release of the SDK that the conformance suite passes with; package.json names the same one as an optional peer. */
export const INNGEST_SDK_VERSION = "4.24.0";

export interface InngestStep {
  run<T>(id: string, work: () => Promise<T>): Promise<T>;
  sleep(id: string, ms: number): Promise<void>;
  sendEvent(id: string, events: readonly InngestEvent[]): Promise<unknown>;
}

export interface InngestEvent {
  readonly id: string;
  readonly name: string;
  readonly data: object;
  /** Milliseconds since 1970; in the future: the functions start then. */
  readonly ts?: number;
}

interface InngestClient {
  createFunction(
    options: object,
    handler: (call: { readonly event: { readonly data: unknown }; readonly step: InngestStep }) => Promise<unknown>,
  ): unknown;
  send(events: readonly InngestEvent[]): Promise<unknown>;
}

/** The part of the SDK (`inngest`, `inngest/edge`, `inngest/connect`) that the adapter uses. */
export interface InngestSdk {
  readonly Inngest: new (options: object) => InngestClient;
  readonly serve: (options: object) => (request: Request) => Promise<Response>;
  readonly connect: (options: object) => Promise<InngestWorkerConnection>;
}

export interface InngestWorkerConnection {
  /** `ACTIVE`: the server can call this process. */
  readonly state: string;
  close(): Promise<void>;
}

/** Variables, because the package is optional: the compiler must not look for it. */
const [MAIN, EDGE, CONNECT]: readonly string[] = ["inngest", "inngest/edge", "inngest/connect"];

/** Loads the SDK of Inngest. It is not installed with bloom: only gardens with this engine need it. */
export async function loadInngestSdk(mode: "serve" | "connect"): Promise<InngestSdk> {
  try {
    const { Inngest } = (await import(MAIN!)) as Pick<InngestSdk, "Inngest">;
    const { serve } = (await import(EDGE!)) as Pick<InngestSdk, "serve">;
    const connect: InngestSdk["connect"] = async (options) =>
      await ((await import(CONNECT!)) as Pick<InngestSdk, "connect">).connect(options);
    return { Inngest, serve, connect };
  } catch (error) {
    throw new Failure("VALIDATION_FAILED", {
      en: `garden.yaml says \`engine: { kind: inngest, mode: ${mode} }\`, and the SDK of Inngest is not installed`,
      uk: `у garden.yaml записано \`engine: { kind: inngest, mode: ${mode} }\`, а SDK Inngest не встановлено`,
      hint: {
        en: `Install it beside bloom with \`npm install --global inngest@${INNGEST_SDK_VERSION}\` (in a checkout: \`npm install -D\`), or write \`engine: { kind: embedded }\`.`,
        uk: `Встановіть його поруч із bloom командою \`npm install --global inngest@${INNGEST_SDK_VERSION}\` (у копії репозиторію: \`npm install -D\`) або запишіть \`engine: { kind: embedded }\`.`,
      },
      details: { package: "inngest", version: INNGEST_SDK_VERSION },
      cause: error,
    });
  }
}
