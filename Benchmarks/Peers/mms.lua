-- Hands each packet of link type 147 to the dissector of MMS, which has no name of its own to choose it by.
local p = Proto("mmsraw","raw MMS PDU")
local d = DissectorTable.get("media_type"):get_dissector("application/vnd.wap.mms-message")
function p.dissector(tvb,pinfo,tree) d:call(tvb,pinfo,tree) end
DissectorTable.get("wtap_encap"):add(wtap.USER0, p)
