/**
 * Service worker of the app. It keeps the app's own files, so that the app opens when the garden cannot be reached. Answers of the
 * garden are not its business: the app keeps the last ones itself and never mistakes them for new ones. Requests that change
 * something are never kept or repeated.
 */
const FILES = "bloom-files";
const APP = "/app/";

self.addEventListener("install", (event) => event.waitUntil(keepFiles()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || !pathname.startsWith(APP)) return;
  if (pathname.startsWith(`${APP}assets/`)) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(request));
});

/** A notification from the garden: already decrypted by the browser. */
self.addEventListener("push", (event) => {
  const { id, title, body, path } = event.data?.json() ?? {};
  if (typeof title !== "string") return;
  const icon = `${APP}icon-192.png`;
  event.waitUntil(self.registration.showNotification(title, { body, tag: id, icon, badge: icon, data: { path } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPath(event.notification.data?.path));
});

/** The browser or its push service has ended a subscription: the garden gets the new one in place of it. */
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));

/**
 * Without a session, or where the new push service is not allowed, nothing changes: the garden forgets the old device when its service says
 * that it is gone, and the settings offer to notify this device.
 */
async function subscribeAgain({ oldSubscription: former, newSubscription: given }) {
  const answer = await fetch("/notify/devices", { credentials: "same-origin" });
  if (!answer.ok) return;
  const { public_key: applicationServerKey, devices } = await answer.json();
  const { pushManager } = self.registration;
  const subscription = given ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  const formerId = former ? await deviceId(former.endpoint) : undefined;
  const { endpoint, keys } = subscription.toJSON();
  const name = devices.find(({ id }) => id === formerId)?.name ?? "Browser";
  const headers = { "Content-Type": "application/json", "X-Requested-With": "service-worker" };
  const body = JSON.stringify({ name, endpoint, p256dh: keys.p256dh, auth: keys.auth });
  const added = await fetch("/notify/devices", { method: "POST", headers, body });
  if (added.ok && formerId !== undefined && formerId !== (await deviceId(endpoint)))
    await fetch(`/notify/devices/${formerId}`, { method: "DELETE", headers });
}

/** The id that the garden gives to a subscription. */
async function deviceId(endpoint) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
  return [...digest.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Opens a page of the app, in a window that is open already if there is one. */
async function openPath(wanted) {
  const path = typeof wanted === "string" && wanted.startsWith(APP) ? wanted : APP;
  const [open] = await self.clients.matchAll({ type: "window" });
  if (!open) return self.clients.openWindow(path);
  await open.focus();
  // A page that this worker does not control cannot be sent elsewhere.
  return open.navigate(path).catch(() => self.clients.openWindow(path));
}

/** Keeps every file of this version and drops those of earlier ones. */
async function keepFiles() {
  const answer = await fetch(`${APP}precache.json`, { cache: "no-cache" });
  const wanted = [APP, ...(await answer.json())];
  const cache = await caches.open(FILES);
  // A file that is missing (the garden was upgraded meanwhile) must not keep the rest from being kept.
  await Promise.allSettled(wanted.map((path) => cache.add(path)));
  const named = new Set(wanted.map((path) => new URL(path, self.location.origin).href));
  for (const request of await cache.keys()) if (!named.has(request.url)) await cache.delete(request);
  await self.skipWaiting();
}

/** A file with a hash in its name never changes. */
async function file(request) {
  const kept = await caches.match(request, { cacheName: FILES, ignoreVary: true });
  return kept ?? fetch(request);
}

/** Every page of the app is the same file. */
async function page(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(FILES)).put(APP, answer.clone());
    return answer;
  } catch (error) {
    const kept = await caches.match(APP, { cacheName: FILES, ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}
