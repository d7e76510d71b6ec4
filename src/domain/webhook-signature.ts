import { createHmac } from "node:crypto";

/** The value of `X-Bloom-Signature`, of requests to the garden and of its notifications: over `<timestamp>.<body>`. */
export const webhookSignature = (secret: string, timestamp: string, body: Uint8Array): string =>
  `sha256=${createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex")}`;
