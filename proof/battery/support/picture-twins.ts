import { picturePath } from '../../../src/domain/addresses/paths.ts'
import { PICTURE_ENDING, PICTURE_FORMS, pictureAddress } from '../../../src/domain/pictures.ts'
import { Random } from '../../../test/support/random.ts'
import type { seeder } from '../../../test/support/seed.ts'
import type { Twins } from '../timing.ts'

const newPicture = (): string => `${new Random(Bun.nanoseconds()).text(32, '0123456789abcdef')}-1640x400`

/** Pictures that only hidden versions show, one or many, or none, and missing ones. */
export function pictureTwins(seed: ReturnType<typeof seeder>, word: () => string): Twins[] {
  const [team, secret] = [word(), word()]
  const shots = seed.product(seed.team(team), 'app')
  const hidden = seed.product(seed.team(secret, { visibility: 'private' }), 'app')
  const add = (changelogId: string): string => {
    const id = newPicture()
    seed.db.run(`INSERT INTO picture VALUES (?, ?, 'png', 1, NULL, zeroblob(200000))`, [changelogId, id])
    const derived = 'INSERT INTO derived_picture VALUES (?, ?, 0, zeroblob(50000), zeroblob(50000))'
    seed.db.run(derived, [changelogId, id])
    return id
  }
  const text = (id: string) => ({ description: `![](${pictureAddress(id)})` })
  const [draft, many, ahead, none, away] = [shots, shots, shots, shots, hidden].map((of) =>
    add(of.changelogId),
  )
  const shown = add(shots.changelogId)
  seed.version(shots.changelogId, '1', text(shown))
  seed.version(shots.changelogId, '2', { ...text(draft ?? ''), status: 'draft' })
  for (let at = 0; at < 500; at++)
    seed.version(shots.changelogId, `3.${at}`, { ...text(many ?? ''), status: 'draft' })
  seed.version(shots.changelogId, '4', { ...text(ahead ?? ''), status: 'scheduled', publishedAt: 4e12 })
  seed.version(hidden.changelogId, '1', text(away ?? ''))
  const pair = (name: string, id = '', of = team, other = team, ending: string = PICTURE_ENDING): Twins => {
    const pathIn = (team: string, id: string) => picturePath(team, 'app', id).replace(PICTURE_ENDING, ending)
    return {
      name,
      hidden: { path: pathIn(of, id) },
      missing: { path: pathIn(other, newPicture()) },
    }
  }
  return [
    pair('picture of a draft', draft),
    pair('picture of many drafts', many),
    pair('picture of a scheduled version', ahead),
    pair('picture that no version shows', none),
    pair('picture of a private team', away, secret, word()),
    pair('small width of a picture of a draft', draft, team, team, PICTURE_FORMS.small),
    pair('card of a picture of a private team', away, secret, word(), PICTURE_FORMS.card),
  ]
}
