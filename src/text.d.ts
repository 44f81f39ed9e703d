declare module '*.sql' {
  const text: string
  export default text
}
declare module '*.md' {
  const text: string
  export default text
}
declare module '*.bash' {
  const text: string
  export default text
}
declare module '*.zsh' {
  const text: string
  export default text
}
declare module '*.fish' {
  const text: string
  export default text
}
declare module '*.css' {
  const text: string
  export default text
}
declare module '*.webp' {
  const path: string
  export default path
}
