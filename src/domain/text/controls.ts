/** A text for a terminal: without control characters other than line breaks and tabs. */
export const withoutControls = (text: string): string => text.replace(/[\p{Cc}--[\n\t]]/gv, '')

/** The text without control characters, which neither HTML nor XML allow. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, '')

/** Foreign text as one line, without controls of terminals or of text direction. */
export const plain = (text: string): string =>
  // Not joiners, which hold emoji and words of some scripts together.
  text.replace(/\s*[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\u200c\u200d]]+\s*/gv, ' ')

/** JSON that also escapes what a terminal or a reader of lines would obey. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\u2028\u2029]/g, escaped)

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
