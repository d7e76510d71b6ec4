import type { NotifyDestination } from "../domain/config/garden-config.ts";
import type { OutgoingMessage } from "../domain/notification.ts";

/** Delivers notifications to the owner (P-12a). */
export interface Messenger {
  /**
   * Delivers one message, in at most half a minute. Throws if it was not delivered; `outcome` is `unknown` if the destination may
   * have got it, so that the caller does not send it twice.
   */
  send(destination: NotifyDestination, message: OutgoingMessage): Promise<void>;
}
