/** Markdown files are imported as text. */
declare module "*.md" {
  const text: string;
  export default text;
}

/** What a script has made and a program carries along as text. */
declare module "*.generated.txt" {
  const text: string;
  export default text;
}
