import { z } from "zod";

/** A browser that is told by Web Push. Its endpoint is a secret: who knows it, and the keys, can send to the device. */
export const pushDevice = z.strictObject({
  /** Derived from the endpoint: subscribing again replaces it. */
  id: z.string(),
  /** Shown to the owner: "Firefox on Linux". */
  name: z.string(),
  endpoint: z.url({ protocol: /^https?$/ }),
  /** The browser's public key (prime256v1, uncompressed) and its authentication secret, in base64url. */
  p256dh: z.string(),
  auth: z.string(),
  added_at: z.iso.datetime(),
});
export type PushDevice = z.infer<typeof pushDevice>;

/** The key that signs requests to push services (RFC 8292), in base64url. */
export interface PushKey {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The message that a service worker gets. Push services cannot read it: it is encrypted for the device. */
export interface PushPayload {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** A path in the web app. */
  readonly path: string;
}

/** An uncompressed point of the curve and 16 bytes, as a browser gives them. */
export const isPushKey = (text: string): boolean => /^B[A-Za-z0-9_-]{86}$/.test(text);
export const isPushAuth = (text: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(text);
