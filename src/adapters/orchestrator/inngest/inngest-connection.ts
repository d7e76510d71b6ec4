import { setTimeout as sleep } from "node:timers/promises";
import type { InngestSdk, InngestWorkerConnection } from "./inngest-package.ts";

/**
 * A worker's own connection to the server (`mode: connect`), kept open. The SDK connects again by itself, but its pauses grow to five
 * minutes: a lost connection is replaced at the second look, and an attempt that takes long is begun anew.
 */
export class InngestConnection {
  readonly #connect: () => ReturnType<InngestSdk["connect"]>;
  readonly #closing: string;
  #opening: Promise<void> | undefined;
  #open: InngestWorkerConnection | undefined;
  #failure: Error | undefined;
  #wasLost = false;
  #isOver = false;
  #attempts = 0;
  #looks = 0;

  /**
   * `instanceId` names the process at the server; the SDK's own is the same for a whole machine. The SDK gives a connection to its
   * caller only when it is open, and tries for ever: until then, the one way to end it is one of its shutdown signals. Ours is an event
   * of this process that no signal causes.
   */
  constructor(sdk: Pick<InngestSdk, "connect">, instanceId: string, options: object) {
    this.#closing = `close ${instanceId}`;
    const handleShutdownSignals = [this.#closing];
    this.#connect = () => sdk.connect({ ...options, instanceId, handleShutdownSignals, isolateExecution: false });
  }

  /** True if the server can call this process now; false while it connects. Throws the reason of a failed attempt. */
  async look(): Promise<boolean> {
    if (this.#open?.state === "ACTIVE") {
      this.#wasLost = false;
      return true;
    }
    if (this.#open && this.#wasLost) {
      void this.#open.close().catch(() => undefined);
      this.#open = undefined;
    }
    this.#wasLost = this.#open !== undefined;
    if (this.#open) return false;
    if (this.#opening && ++this.#looks > MOST_LOOKS) this.#giveUp();
    this.#opening ??= this.#begin();
    await Promise.race([this.#opening, sleep(PATIENCE_MS, undefined, { ref: false })]);
    if (this.#failure === undefined) return this.#open !== undefined;
    const failure = this.#failure;
    this.#failure = undefined;
    throw failure;
  }

  /** Ends in order, but not later than after `CLOSE_MS`: without a server the SDK would try to hand over its answers for long. */
  async close(): Promise<void> {
    this.#isOver = true;
    process.emit(this.#closing as "SIGTERM");
    await Promise.race([this.#open?.close(), sleep(CLOSE_MS, undefined, { ref: false })]);
  }

  /** Begins anew with the next look: the pauses of the SDK have become long. */
  #giveUp(): void {
    process.emit(this.#closing as "SIGTERM");
    this.#opening = undefined;
  }

  async #begin(): Promise<void> {
    this.#looks = 0;
    const attempt = ++this.#attempts;
    try {
      const made = await this.#connect();
      if (this.#isOver || attempt !== this.#attempts) return await made.close();
      this.#open = made;
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
    if (attempt === this.#attempts) this.#opening = undefined;
  }
}

/** The SDK waits for the server as long as it takes. */
const PATIENCE_MS = 1000;
/** Looks at a connection that does not open before another attempt begins. */
const MOST_LOOKS = 10;
const CLOSE_MS = 5000;
