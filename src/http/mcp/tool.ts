import type { Static, TObject } from '@sinclair/typebox'
import type { Audience } from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'

/** Who asks a tool that is about no single changelog. */
export interface Asker {
  reads: Reads
  audience: Audience
  /** The public gets lists of changelogs. */
  hasLists: boolean
}

/** A tool: what agents read to choose it, what it takes and returns, and how it is read; null if nothing has these names. */
export interface ToolOf<From, Input extends TObject = TObject, Output extends TObject = TObject> {
  name: string
  title: string
  description: string
  input: Input
  output: Output
  read(from: From, given: Static<Input>): Promise<Static<Output> | null>
}

/** Infers the types of a tool from its schemas. */
export const defineTool = <From, Input extends TObject, Output extends TObject>(
  tool: ToolOf<From, Input, Output>,
): ToolOf<From, Input, Output> => tool
