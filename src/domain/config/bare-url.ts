/** False for an address with user, password, query or fragment. True for a text that is no address: another check tells that. */
export function isBareUrl(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` === "";
}
