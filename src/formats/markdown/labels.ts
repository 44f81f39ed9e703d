import { decodeString } from 'micromark-util-decode-string'

/** The form in which labels of link definitions are compared. */
export function identifier(label: string): string {
  return label
    .replace(/\n[ \t>]*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
}

/** Address and title of a link or definition, unescaped. */
export function targetOf(destination: string, title: string | null): { url: string; title: string | null } {
  const url = destination.startsWith('<') ? destination.slice(1, -1) : destination
  return { url: decodeString(url), title: title === null ? null : decodeString(title.slice(1, -1)) }
}

/** True if a text has one of these labels in brackets. Other texts have no reference links, and need not be parsed. */
export const mayRefer = (text: string, labels: ReadonlySet<string>): boolean =>
  text.matchAll(/\[((?:[^[\]\\]|\\[\s\S])+)\]/g).some(([, label = '']) => labels.has(identifier(label)))
