import type { World } from "../../base/world.ts";
import type { PushDevice, PushKey } from "../../domain/push.ts";
import type { Egress } from "../../ports/egress.ts";

/** The garden's devices and key for Web Push. */
export interface PushDesk {
  key(): Promise<PushKey>;
  /** The owner's e-mail address; undefined if git does not know it. */
  email(): Promise<string | undefined>;
  devices(): Promise<readonly PushDevice[]>;
  /** Called for a device whose subscription has ended. */
  remove(id: string): Promise<unknown>;
}

export interface MessengerSettings {
  /** The value of an environment variable. */
  readonly secretOf: (variable: string) => string | undefined;
  /** A way to this host alone: a destination is allowed by being configured. */
  readonly egressTo: (url: URL) => Egress;
  /** Environment variables that a command inherits; never the keys of models. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly world: World;
  readonly patienceMs?: number;
  /** Devices and the key of Web Push. */
  readonly push: PushDesk;
}
