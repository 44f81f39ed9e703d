import { pictureAt } from '../domain/addresses/paths.ts'
import { isId } from '../domain/id.ts'
import { isRefusal, Refusal } from '../domain/refusal.ts'
import { isSlug } from '../domain/slug.ts'
import { NEW } from './editing/text.ts'
import { editPage, editTogether, previewOf, saveText } from './pages/edit.ts'
import { homePage } from './pages/home.ts'
import { pictureFile, takePicture } from './pages/picture.ts'
import { actOnVersion, productPage } from './pages/product.ts'
import { publish, publishPage } from './pages/publish.ts'
import { errorPage, foreignForm, isMissing, notFoundPage, refusedForm } from './pages/refused.ts'
import { startPage, startProduct } from './pages/start.ts'
import { readForm } from './request/form.ts'
import { seeOther } from './respond.ts'
import { mayWrite, type Named, PUBLIC, productHref, type Sent, type Visit } from './visit.ts'

interface Row {
  get?: (visit: Visit, names: Named) => Promise<Response>
  post?: (visit: Sent, names: Named) => Promise<Response>
}

/** Every page of the desk. */
const HOME: Row = { get: homePage }
const START: Row = { get: startPage, post: startProduct }
const PRODUCT: Row = { get: productPage, post: actOnVersion }
const VERSION: Readonly<Record<string, Row>> = {
  '': { get: editPage, post: saveText },
  together: { post: editTogether },
  preview: { get: previewOf, post: previewOf },
  publish: { get: publishPage, post: publish },
  picture: { post: takePicture },
}

interface Checks {
  /** The form is from a page of the desk. */
  isOurs: boolean
  isValid(token: string): boolean
}

export async function route(visit: Visit, request: Request, checks: Checks): Promise<Response> {
  const response = await answer(visit, request, checks)
  const isForScript = request.method === 'POST' && request.headers.get('accept') === 'application/json'
  // The script leads on by itself. What was refused it sends once more, as a browser does.
  return isForScript ? Response.json({ location: response.headers.get('location') }) : response
}

async function answer(visit: Visit, request: Request, { isOurs, isValid }: Checks): Promise<Response> {
  const found = find(visit)
  if (!found) return notFoundPage(visit)
  const { names } = found
  const { get, post } = found.row
  let asked: Visit = visit
  try {
    if (request.method === 'GET' || request.method === 'HEAD')
      return get
        ? await get(visit, names).catch(async (error) =>
            moved(visit, await presentNames(visit, names, error)),
          )
        : notFoundPage(visit)
    if (request.method !== 'POST' || !post)
      return new Response(null, { status: 405, headers: { allow: post ? 'GET, HEAD, POST' : 'GET, HEAD' } })
    const form = await readForm(request, visit.writer.name)
    const sent = form && { ...visit, form }
    asked = sent ?? visit
    if (!sent || !isOurs) return foreignForm(asked)
    if (form.isTooLong || !isValid(form.text('token'))) return refusedForm(sent, names)
    return await post(sent, names).catch(async (error) => post(sent, await presentNames(sent, names, error)))
  } catch (error) {
    if (!isRefusal(error)) visit.desk.report(error)
    return errorPage(asked, names, error)
  }
}

/**
 * After a product was not found, when nothing was written: its address now, if it had this one. Where that is in a team which
 * one may not write, there is none.
 */
async function presentNames({ desk }: Visit, names: Named, error: unknown): Promise<Named> {
  if (!isMissing(error)) throw error
  const { team, product } = names
  const present = await desk.read(({ formerAddresses }) => formerAddresses.present({ team, product }))
  if (!present) throw error
  if (mayWrite(desk, present.team)) return { ...names, ...present }
  throw new Refusal(`There is no product ${team}/${product}.`, { kind: 'not_found' })
}

const moved = ({ desk, path, url }: Visit, names: Named): Response =>
  seeOther([productHref(desk, names), ...path.split('/').slice(3)].join('/') + url.search)

/** Null for a page that does not exist, and for a team that may not be written. */
function find({ desk, path }: Visit): { row: Row; names: Named } | null {
  const [, team = '', product = '', version = '', page = '', ...rest] = path.split('/')
  const names = { team, product, version }
  if (path === '/') return { row: HOME, names }
  if (path.startsWith(`${PUBLIC}/`)) {
    const get = ({ desk, url }: Visit) => desk.publicPage(path.slice(PUBLIC.length) + url.search)
    return { row: { get }, names }
  }
  if (path === '/start') return { row: START, names }
  const picture = pictureAt(path)
  if (picture) {
    const name = { team: product, product: version }
    const get = (visit: Visit) => pictureFile(visit, name, picture)
    return mayWrite(desk, name.team) ? { row: { get }, names } : null
  }
  if (rest.length > 0 || !isSlug(team) || !isSlug(product) || !mayWrite(desk, team)) return null
  if (version === '') return { row: PRODUCT, names }
  const row = version === NEW || isId('ver', version) ? VERSION[page] : undefined
  return row ? { row, names } : null
}
