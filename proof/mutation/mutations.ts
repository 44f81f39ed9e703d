import { parse } from '@babel/parser'
import type { CallExpression, Node } from '@babel/types'

/** One small change of a source file, which a test should notice. */
export interface Mutation {
  /** Where it is, counted from 1. */
  line: number
  column: number
  before: string
  after: string
  /** The whole file with the change. */
  text: string
}

/** Every mutation of a TypeScript file. Types stay as they are: they do not run. */
export function mutationsOf(text: string): Mutation[] {
  const found = new Map<string, Mutation>()
  const visit = (node: Node): void => {
    for (const { start, end, after } of changesAt(node, text)) {
      const mutated = text.slice(0, start) + after + text.slice(end)
      const { line, column } = placeAt(text, start)
      // Two ways to the same text are one mutation.
      if (isValid(mutated))
        found.set(mutated, { line, column, before: text.slice(start, end), after, text: mutated })
    }
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseTypeScript(text).program)
  return [...found.values()]
}

interface Change {
  start: number
  end: number
  after: string
}

/** What takes the place of an operator. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '**': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
}

/** What takes the place of a function or method. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  and: 'or',
  or: 'and',
  min: 'max',
  max: 'min',
  ceil: 'floor',
  floor: 'ceil',
  some: 'every',
  every: 'some',
}

/** The changes of a node itself, without those of its children. */
function changesAt(node: Node, text: string): Change[] {
  const { start, end } = spanOf(node)
  const instead = (...after: string[]): Change[] => after.map((each) => ({ start, end, after: each }))
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const at = text.indexOf(node.operator, spanOf(node.left).end)
      const others = OPERATORS[node.operator] ?? []
      return others.map((after) => ({ start: at, end: at + node.operator.length, after }))
    }
    case 'UnaryExpression':
      return '!-'.includes(node.operator) ? instead(sourceOf(node.argument, text)) : []
    case 'BooleanLiteral':
      return instead(String(!node.value))
    case 'NumericLiteral':
      return instead(String(node.value + 1))
    case 'StringLiteral':
      return instead(node.value === '' ? "'mutated'" : "''")
    case 'TemplateLiteral':
      return instead('``')
    case 'RegExpLiteral':
      return instead(...regExps(node.pattern, node.flags))
    case 'IfStatement':
    case 'ConditionalExpression':
      return ['true', 'false'].map((after) => ({ ...spanOf(node.test), after }))
    case 'WhileStatement':
      return [{ ...spanOf(node.test), after: 'false' }]
    case 'ExpressionStatement':
      return instead(';')
    case 'CallExpression':
      return callChanges(node)
    default:
      return []
  }
}

/** Without one of its anchors, or without its flags. */
function regExps(pattern: string, flags: string): string[] {
  const patterns = [pattern.replace(/^\^/, ''), pattern.replace(/\$$/, '')].filter((each) => each !== pattern)
  return [...patterns.map((each) => `/${each}/${flags}`), ...(flags === '' ? [] : [`/${pattern}/`])]
}

/** Another function instead; for conditions of SQL, one of them less. */
function callChanges({ callee, arguments: given }: CallExpression): Change[] {
  const name = callee.type === 'MemberExpression' ? callee.property : callee
  if (name.type !== 'Identifier') return []
  const other = FUNCTIONS[name.name]
  const changes = other === undefined ? [] : [{ ...spanOf(name), after: other }]
  if (name.name !== 'and' && name.name !== 'or') return changes
  return [...changes, ...given.map((each) => ({ ...spanOf(each), after: 'undefined' }))]
}

/** The nodes within a node that run. */
function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([name, value]) => {
    // The name of a property is part of what its readers know, and imports say nothing by themselves.
    if (name === 'key' || name === 'source') return []
    const values: unknown[] = Array.isArray(value) ? value : [value]
    return values.filter((each): each is Node => isNode(each) && runs(each))
  })
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** Types and comments do not; `as` and `satisfies` hold an expression that does. */
const runs = ({ type }: Node): boolean =>
  !/^TS|^Comment/.test(type) || /^TS(As|Satisfies|NonNull)|^TSParameterProperty/.test(type)

const spanOf = ({ start, end }: Node) => ({ start: start ?? 0, end: end ?? 0 })

const sourceOf = (node: Node, text: string): string => text.slice(spanOf(node).start, spanOf(node).end)

function placeAt(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

const parseTypeScript = (text: string) => parse(text, { sourceType: 'module', plugins: ['typescript'] })

function isValid(text: string): boolean {
  try {
    parseTypeScript(text)
    return true
  } catch {
    return false
  }
}
