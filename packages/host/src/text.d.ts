/** Programs for children are imported as text. */
declare module "*.txt" {
  const text: string;
  export default text;
}
