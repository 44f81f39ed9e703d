/** Lists in a text field: what a key writes, as arguments of `insert`. Null where the key does what it always does. */
type Edit = [from: number, to: number, words: string, select: [number, number]]

const ITEM = /^( *)([-*+]|(\d{1,9})([.)]))( +(?:\[[ xX]\] +)?)/

const hasModifier = ({ ctrlKey, altKey, metaKey }: KeyboardEvent) => ctrlKey || altKey || metaKey

/** Enter in an item begins the next one, and in an empty one ends the list. */
export function continueItem(text: HTMLTextAreaElement, event: KeyboardEvent): Edit | null {
  const { key, shiftKey, isComposing, keyCode } = event
  // Safari ends a composition before the Enter that accepts it, which has this code.
  if (key !== 'Enter' || isComposing || keyCode === 229 || shiftKey || hasModifier(event)) return null
  const { selectionStart: from, selectionEnd: to, value } = text
  const start = value.lastIndexOf('\n', from - 1) + 1
  const [marker = '', indent, mark, number, sign, gap = ''] = ITEM.exec(value.slice(start, from)) ?? []
  if (!marker) return null
  const end = value.indexOf('\n', from)
  const line = value.slice(start, end === -1 ? value.length : end)
  if (line.slice(marker.length).trim() === '') return [start, to, '\n', [1, 1]]
  const next = `\n${indent}${number === undefined ? mark : Number(number) + 1 + (sign ?? '')}${gap.replace(/[xX]/, ' ')}`
  return [from, to, next, [next.length, next.length]]
}

/** After Escape, Tab leaves the field once, as it does outside of lists. */
let isLeaving = false

/** Tab moves items below the one before them, and Shift+Tab back. */
export function indentItems(text: HTMLTextAreaElement, event: KeyboardEvent): Edit | null {
  const { key, shiftKey } = event
  if (key === 'Escape') isLeaving = true
  if (key !== 'Tab' || hasModifier(event) || isLeaving) {
    if (key !== 'Escape') isLeaving = false
    return null
  }
  const { selectionStart: from, selectionEnd: to, value } = text
  const start = value.lastIndexOf('\n', from - 1) + 1
  const found = value.indexOf('\n', to)
  const end = found === -1 ? value.length : found
  const lines = value.slice(start, end).split('\n')
  const [first, indent = ''] = ITEM.exec(lines[0] ?? '') ?? []
  if (first === undefined) return null
  const above = ITEM.exec(
    value
      .slice(0, Math.max(0, start - 1))
      .split('\n')
      .at(-1) ?? '',
  )
  // The first item of a list has none to be below.
  if (!shiftKey && (!above || (above[1] ?? '').length < indent.length)) return null
  if (shiftKey && indent === '') return null
  const step = ' '.repeat(shiftKey ? Math.min(indent.length, 2) : `${above?.[2]} `.length)
  const moved = lines.map((line) => (shiftKey ? line.replace(step, '') : line && step + line)).join('\n')
  const change = (shiftKey ? -1 : 1) * step.length
  const caret = Math.max(0, from - start + change)
  return [start, end, moved, [caret, from === to ? caret : moved.length]]
}
