-- Agents leave groups with whoever brought them in, and with the relation through which that person did. Before, they
-- stayed: silent, since nobody answers for them, but still among the members.
UPDATE conversation_members AS m SET left_at = coalesce((
        SELECT r.updated_at FROM h2a_relations r
        WHERE r.user_id = m.added_by AND r.agent_id = m.party_id), m.joined_at)
    WHERE m.left_at IS NULL AND m.party_id LIKE 'agt%'
        AND EXISTS (SELECT 1 FROM conversations c
            WHERE c.conversation_id = m.conversation_id AND c.kind = 'group')
        AND NOT EXISTS (SELECT 1 FROM h2a_relations r
            JOIN agents a ON a.agent_id = r.agent_id AND a.deleted_at IS NULL
            JOIN conversation_members h
                ON h.conversation_id = m.conversation_id AND h.party_id = r.user_id AND h.left_at IS NULL
            WHERE r.user_id = m.added_by AND r.agent_id = m.party_id AND r.status <> 'revoked');
