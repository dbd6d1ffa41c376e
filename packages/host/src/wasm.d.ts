/** Compiled code that the program carries along: its path. */
declare module "*.wasm" {
  const path: string;
  export default path;
}
