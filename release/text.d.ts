declare module '*.sh' {
  const text: string
  export default text
}
declare module '*.spec' {
  const text: string
  export default text
}
declare module '*.cjs' {
  const text: string
  export default text
}
