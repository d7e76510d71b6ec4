/** Why this browser cannot be told by Web Push. */
export type PushObstacle = "insecure" | "unsupported" | "denied";

export function pushObstacle(): PushObstacle | undefined {
  if (!isSecureContext) return "insecure";
  if (!("PushManager" in globalThis) || !("Notification" in globalThis) || !("serviceWorker" in navigator))
    return "unsupported";
  return Notification.permission === "denied" ? "denied" : undefined;
}

/** The subscription that this browser has for this garden. */
export async function currentSubscription(): Promise<PushSubscription | undefined> {
  if (pushObstacle() === "insecure" || pushObstacle() === "unsupported") return undefined;
  const registration = await navigator.serviceWorker.getRegistration("/app/");
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

/** Asks the person for permission and the browser for a subscription. Undefined if the person refuses. */
export async function subscribeDevice(publicKey: string): Promise<PushSubscription | undefined> {
  if ((await Notification.requestPermission()) !== "granted") return undefined;
  const registration = await navigator.serviceWorker.ready;
  const there = await registration.pushManager.getSubscription();
  // A subscription for another key (the garden's key was deleted) cannot be used.
  if (there && keyText(there.options.applicationServerKey) !== publicKey) await there.unsubscribe();
  return await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

/** The parts of a subscription that the garden needs. */
export function deviceOf(subscription: PushSubscription, name: string) {
  const { endpoint, keys } = subscription.toJSON();
  return {
    name,
    endpoint: endpoint ?? subscription.endpoint,
    p256dh: keys?.["p256dh"] ?? "",
    auth: keys?.["auth"] ?? "",
  };
}

/** The id that the garden gives to a subscription. */
export async function deviceId(endpoint: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
  return [...digest.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const keyText = (key: ArrayBuffer | null): string =>
  key === null
    ? ""
    : btoa(String.fromCharCode(...new Uint8Array(key)))
        .replaceAll("+", "-")
        .replaceAll("/", "_")
        .replaceAll("=", "");

const BROWSERS = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;
const SYSTEMS = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux/, "Linux"],
] as const;

/** "Firefox, Linux" from the text by which a browser names itself. */
export function browserName(agent: string): string {
  const found = [BROWSERS, SYSTEMS].flatMap((table) => table.find(([pattern]) => pattern.test(agent))?.[1] ?? []);
  return found.join(", ") || "Browser";
}
