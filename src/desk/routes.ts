import { type Act, need } from '../acts/acting.ts'
import { ACTS } from '../acts/acts.ts'
import { pictureAt } from '../domain/addresses/paths.ts'
import { isId } from '../domain/id.ts'
import { isRefusal, Refusal } from '../domain/refusal.ts'
import { isSlug } from '../domain/slug.ts'
import { NEW } from './editing/text.ts'
import { editPage, editTogether, previewOf, saveText } from './pages/edit.ts'
import { homePage } from './pages/home.ts'
import { pictureFile, takePicture } from './pages/picture.ts'
import { actOnVersion, menuAct, productPage } from './pages/product.ts'
import { publish, publishPage } from './pages/publish.ts'
import { errorPage, foreignForm, isMissing, notFoundPage, refusedForm } from './pages/refused.ts'
import { startPage, startProduct } from './pages/start.ts'
import { type Form, readForm } from './request/form.ts'
import { seeOther } from './respond.ts'
import { mailPage } from './telling.ts'
import { mayWrite, type Named, PUBLIC, productHref, type Sent, type Visit } from './visit.ts'

/** A page, and its form: whoever sends that needs the right of the act that it asks for; of none, where it writes nothing. */
type Row = { get?: Handler<Visit> } & (
  | { post?: never; act?: never }
  | { post: Handler<Sent>; act: Act | null | ((form: Form) => Act | undefined) }
)
type Handler<V extends Visit> = (visit: V, names: Named) => Promise<Response>

/** Every page of the desk. */
const HOME: Row = { get: homePage }
const START: Row = { get: startPage, post: startProduct, act: ACTS.createProduct }
const PRODUCT: Row = { get: productPage, post: actOnVersion, act: menuAct }
export const VERSION: Readonly<Record<string, Row>> = {
  '': { get: editPage, post: saveText, act: ACTS.save },
  together: { post: editTogether, act: null },
  preview: { get: previewOf, post: previewOf, act: null },
  publish: { get: publishPage, post: publish, act: ACTS.publish },
  mail: { get: mailPage },
  picture: { post: takePicture, act: ACTS.addPicture },
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
  const { act } = found.row
  let asked: Visit = visit
  try {
    if (request.method === 'GET' || request.method === 'HEAD') {
      if (!get) return notFoundPage(visit)
      if (typeof act === 'object') allow(visit, act)
      return await get(visit, names).catch(async (error) =>
        moved(visit, await presentNames(visit, names, error)),
      )
    }
    if (request.method !== 'POST' || !post)
      return new Response(null, { status: 405, headers: { allow: post ? 'GET, HEAD, POST' : 'GET, HEAD' } })
    const form = await readForm(request, visit.writer.name)
    const sent = form && { ...visit, form }
    asked = sent ?? visit
    if (!sent || !isOurs) return foreignForm(asked)
    if (form.isTooLong || !isValid(form.text('token'))) return refusedForm(sent, names)
    allow(visit, typeof act === 'function' ? act(form) : act)
    return await post(sent, names).catch(async (error) => post(sent, await presentNames(sent, names, error)))
  } catch (error) {
    if (!isRefusal(error)) visit.desk.report(error)
    return errorPage(asked, names, error)
  }
}

/** The one place that asks for the right of a form, and of the page that has it. What is public needs more: see acts/seen.ts. */
const allow = ({ writer }: Visit, act: Act | null | undefined): void => {
  if (act) need(writer, act.needs)
}

/**
 * After a product was not found, when nothing was written: its address now, if it had this one. Where that is in a team which
 * one may not write, there is none.
 */
async function presentNames(visit: Visit, names: Named, error: unknown): Promise<Named> {
  if (!isMissing(error)) throw error
  const { team, product } = names
  const present = await visit.desk.read(({ formerAddresses }) => formerAddresses.present({ team, product }))
  if (!present) throw error
  if (mayWrite(visit, present.team)) return { ...names, ...present }
  throw new Refusal(`There is no product ${team}/${product}.`, { kind: 'not_found' })
}

const moved = ({ desk, path, url }: Visit, names: Named): Response =>
  seeOther([productHref(desk, names), ...path.split('/').slice(3)].join('/') + url.search)

/** Null for a page that does not exist, and for a team that may not be written. */
function find(visit: Visit): { row: Row; names: Named } | null {
  const { path } = visit
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
    return mayWrite(visit, name.team) ? { row: { get }, names } : null
  }
  if (rest.length > 0 || !isSlug(team) || !isSlug(product) || !mayWrite(visit, team)) return null
  if (version === '') return { row: PRODUCT, names }
  const row = version === NEW || isId('ver', version) ? VERSION[page] : undefined
  return row ? { row, names } : null
}
