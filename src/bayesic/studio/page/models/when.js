// Moments, as the person writes them.

import { h } from "../frame/dom.js";

const zone = () => (document.documentElement.lang === "zh-CN" ? "zh-CN" : "en-GB");

/** @param {number} seconds since 1970 */
export const moment = (seconds) => new Date(seconds * 1000).toLocaleString(zone(), { dateStyle: "medium", timeStyle: "medium" });

/** @param {number} seconds since 1970 */
export const timeOf = (seconds) => h("time", { datetime: new Date(seconds * 1000).toISOString() }, moment(seconds));
