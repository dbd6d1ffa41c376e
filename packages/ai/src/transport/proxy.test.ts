/** Which proxy an address gets. */

import { expect, test } from "bun:test";
import { proxyFor } from "./proxy.ts";

const HTTPS = { HTTPS_PROXY: "http://p:1" };
const CASES = [
  ["https://a.example/x", HTTPS, "http://p:1"],
  ["https://a.example/x", { https_proxy: "p:1" }, "http://p:1"],
  ["https://a.example/x", { HTTPS_PROXY: "", ALL_PROXY: "https://q" }, "https://q"],
  ["https://a.example/x", { HTTP_PROXY: "http://p:1" }, undefined],
  ["https://a.example/x", { ALL_PROXY: "socks5://p:1" }, undefined],
  ["https://a.example/x", { ...HTTPS, NO_PROXY: "example" }, false],
  ["https://a.example/x", { ...HTTPS, NO_PROXY: "*.example" }, false],
  ["https://a.example/x", { ...HTTPS, no_proxy: ".EXAMPLE" }, false],
  ["https://a.example/x", { ...HTTPS, NO_PROXY: "b, a.example:443" }, false],
  ["https://a.example/x", { ...HTTPS, NO_PROXY: "a.example:444 ample" }, "http://p:1"],
  ["https://[::1]:8/x", { ...HTTPS, NO_PROXY: "[::1]:8" }, false],
  ["http://169.254.169.254/latest", { ALL_PROXY: "http://p:1" }, false],
] as const;
test.each(CASES)("%s with %j: %p", (url, environment, proxy) => {
  expect(proxyFor(url, environment)).toBe(proxy);
});
