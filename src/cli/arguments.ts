import { InvalidArgumentError } from '@commander-js/extra-typings'
import type { Instant } from '../domain/records.ts'
import { DURATION_RULE, ISO_RULE, parseDuration, parseInstant } from '../domain/time.ts'

/** How what is typed becomes a value. What cannot be one is wrong usage. */

export interface ProductName {
  team: string
  product: string
}

/** A product as it is written everywhere: `team/product`. */
export function productName(text: string): ProductName {
  const [team, product, ...rest] = text.split('/')
  if (!team || !product || rest.length > 0)
    throw new InvalidArgumentError('A product is written team/product, such as acme/app.')
  return { team, product }
}

export function date(text: string): Instant {
  const instant = parseInstant(text)
  if (instant === null) throw new InvalidArgumentError(`It must be ${ISO_RULE}.`)
  return instant
}

export function duration(text: string): number {
  const length = parseDuration(text)
  if (length === null) throw new InvalidArgumentError(`It must be ${DURATION_RULE}.`)
  return length
}

/** A moment given by itself or by how long it is until then: the moment, once now is known. */
export function expiry(text: string): (now: Instant) => Instant {
  const length = parseDuration(text)
  if (length !== null) return (now) => now + length
  const instant = parseInstant(text)
  if (instant === null) throw new InvalidArgumentError(`It must be ${DURATION_RULE}, or ${ISO_RULE}.`)
  return () => instant
}

export function position(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('Positions are counted from 1.')
  return Number(text)
}

/** For an option that may be given more than once. */
export const collected = (text: string, before: string[] = []): string[] => [...before, text]
