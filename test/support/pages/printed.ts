import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { scratch } from '../scratch.ts'

/** A word on paper, in points from the upper left corner of its page. */
export interface PrintedWord {
  page: number
  text: string
  left: number
  top: number
  right: number
  bottom: number
}

export interface Printed {
  words: PrintedWord[]
  /** Of every page, in points. */
  width: number
  height: number
  /** The share of dots within these bounds that are not white, at 144 dots to the inch. */
  ink(area: Omit<PrintedWord, 'text'>): number
}

/** The margin of each side, as browsers have it by default. */
export const MARGIN = 28
const SCALE = 2

/** The page as the browser prints it on A4 without the backgrounds, which is what it does unless told otherwise. */
export async function print(page: Page): Promise<Printed> {
  using directory = scratch()
  const path = join(directory.path, 'page.pdf')
  const side = `${MARGIN / 72}in`
  const margin = { top: side, right: side, bottom: side, left: side }
  await page.pdf({ path, format: 'A4', margin, printBackground: false })
  const text = tool('pdftotext', '-bbox', path, '-').toString()
  const pages = text.split('<page ').slice(1)
  const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(pages[0] ?? '')?.map(Number) ?? []
  const pictures = pages.map((_, at) => pictureOf(path, at + 1))
  return {
    words: pages.flatMap((each, at) => wordsOf(each, at + 1)),
    width: width ?? 0,
    height: height ?? 0,
    ink: ({ page, left, top, right, bottom }) => pictures[page - 1]?.(left, top, right, bottom) ?? 0,
  }
}

const WORD = /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)<\/word>/g

const wordsOf = (page: string, number: number): PrintedWord[] =>
  [...page.matchAll(WORD)].map(([, left, top, right, bottom, text = '']) => ({
    ...{ page: number, text },
    ...{ left: Number(left), top: Number(top), right: Number(right), bottom: Number(bottom) },
  }))

/** Tells the share of dots that are not white within bounds on a page. */
function pictureOf(path: string, page: number) {
  const args = ['-gray', '-r', String(72 * SCALE), '-f', String(page), '-l', String(page)]
  const picture = tool('pdftoppm', ...args, path)
  const [head = '', width] = /^P5\s+(\d+)\s+\d+\s+255\s/.exec(picture.toString('latin1', 0, 64)) ?? []
  return (left: number, top: number, right: number, bottom: number): number => {
    let [dark, all] = [0, 0]
    for (let y = Math.round(top * SCALE); y < bottom * SCALE; y++)
      for (let x = Math.round(left * SCALE); x < right * SCALE; x++) {
        all++
        if ((picture[head.length + y * Number(width) + x] ?? 255) < 200) dark++
      }
    return dark / all
  }
}

function tool(...command: string[]): Buffer {
  const { success, stdout, stderr } = Bun.spawnSync(command)
  if (!success) throw new Error(`${command.join(' ')}: ${stderr}`)
  return stdout
}
