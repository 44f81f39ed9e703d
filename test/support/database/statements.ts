import type { Statement } from '../../../src/store/queries/statement.ts'

/** Every statement of a tree, and where it is in it: `forPublic inSmallRange contents`. */
export const statementsIn = (tree: object, path = ''): [name: string, Statement<unknown>][] =>
  Object.entries(tree).flatMap(([name, each]) =>
    'sql' in each ? [[path + name, each]] : statementsIn(each, `${path}${name} `),
  )
