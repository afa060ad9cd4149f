// Talking to the server: it computes, the page shows.

/** @typedef {{method?: string, body?: any, bytes?: Blob | ArrayBuffer, signal?: AbortSignal}} Options */

const TOKEN = "bayesic token"; // kept in this browser for this address, so that further tabs have it

/** Requests of one tab. `heard` is told whether the server answers at all, `locked` that it wants a token. */
export class Server {
  /** @param {(alive: boolean) => void} heard @param {() => void} locked */
  constructor(heard, locked) {
    this.heard = heard;
    this.locked = locked;
    this.isLocked = false;
    this.tab = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");
  }

  /**
   * The answer to a request. What cannot be done has a field `refused`, which is a sentence.
   * @param {string} path below /studio
   * @param {Options} [options]
   * @param {string} [purpose] questions with the same purpose replace each other
   */
  async ask(path, options = {}, purpose = "") {
    const response = await this.fetched(path, options, purpose);
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    const sentence = answer.refused ?? answer.message;
    return { refused: typeof sentence === "string" ? sentence : `${response.status} ${response.statusText}` };
  }

  /** @param {string} path @param {Options} options @param {string} purpose */
  async fetched(path, { method, body, bytes, signal }, purpose) {
    /** @type {Object<string, string>} */
    const headers = { "X-Studio-Tab": this.tab + purpose };
    const token = keptToken();
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (bytes !== undefined) headers["Content-Type"] = "application/octet-stream";
    try {
      const response = await fetch(`/studio${path}`, {
        method: method ?? (body === undefined && bytes === undefined ? "GET" : "POST"),
        headers, body: bytes ?? (body === undefined ? undefined : JSON.stringify(body)), signal,
      });
      this.heard(true);
      if (response.status === 401 && !this.isLocked) {
        this.isLocked = true;
        this.locked();
      }
      return response;
    } catch (error) {
      if (/** @type {any} */ (error).name !== "AbortError") this.heard(false);
      throw error;
    }
  }
}

const fieldsOf = (address) => new URLSearchParams(address.split("#").slice(1).join("#"));

export const keptToken = () => localStorage.getItem(TOKEN);

/** Send this token from now on. It may come in the address that the command has printed. */
export const useToken = (text) => localStorage.setItem(TOKEN, fieldsOf(text).get("token") ?? text.trim());

/** Keep the token of an address such as #token=..., and take it out of the address. @returns {boolean} whether there is one */
export function keepToken() {
  const fields = fieldsOf(location.hash);
  if (!fields.has("token")) return false;
  useToken(location.hash);
  fields.delete("token");
  history.replaceState(null, "", fields.size > 0 ? `#${fields}` : location.pathname);
  return true;
}

export const documentPath = (name) => `/documents/${encodeURIComponent(name)}`;

/** Under what a tab remembers where it was on a desk. */
export const placeOf = (desk) => `bayesic desk ${desk}`;
